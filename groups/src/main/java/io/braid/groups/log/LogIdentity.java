package io.braid.groups.log;

import io.braid.core.runtime.DurableFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * The file {@code IDENTITY}, which distinguishes a log from those of other directories. The commits
 * of a group are looked for in the log that its record names. So a file that is damaged, or missing
 * beside logs, is refused: under another identity, no process would take these groups up.
 */
final class LogIdentity {
  private static final String NAME = "IDENTITY";
  private static final int LONGEST = 4096;

  /** The first versions wrote no checksum. */
  private static final Pattern LINE =
      Pattern.compile("([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?: crc32c ([0-9a-f]{8})\n)?");

  private LogIdentity() {}

  /** That of the log in a directory, which gets one if it is new. */
  static String of(Path directory) {
    Path file = directory.resolve(NAME);
    try {
      if (!Files.exists(file)) {
        DurableFiles.createPrivateDirectories(directory);
        requireNew(directory, file);
        write(file);
      }
      return read(file);
    } catch (IOException e) {
      throw new LogBrokenException(file + " cannot be read or written: " + e, e);
    }
  }

  private static void requireNew(Path directory, Path file) throws IOException {
    try (Stream<Path> others = Files.list(directory)) {
      if (others.anyMatch(each -> Segments.isName(String.valueOf(each.getFileName())))) {
        throw new LogBrokenException(
            file + " is missing: it tells whose commits lie there. Restore it from a copy.", null);
      }
    }
  }

  private static void write(Path file) throws IOException {
    String identity = UUID.randomUUID().toString();
    DurableFiles.write(file, bytes(identity + " crc32c " + checksum(identity) + "\n"));
  }

  private static String read(Path file) throws IOException {
    if (Files.size(file) <= LONGEST) {
      // One character for each byte: bytes that are no text are damaged, too.
      Matcher line = LINE.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
      if (line.matches()
          && (line.group(2) == null || line.group(2).equals(checksum(line.group(1))))) {
        return line.group(1);
      }
    }
    throw new LogBrokenException(
        file + " is damaged: it tells whose commits lie there. Restore it from a copy.", null);
  }

  private static String checksum(String text) {
    CRC32C crc = new CRC32C();
    crc.update(bytes(text));
    return String.format("%08x", crc.getValue());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
