package io.braid.backup;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/** The file {@code MANIFEST}: lines of text, the last of which is a checksum of the others. */
final class ManifestText {
  static final String NAME = "MANIFEST";
  private static final long LONGEST = 64L << 20;
  private static final Pattern END = Pattern.compile("end crc32c ([0-9a-f]{8})");

  private ManifestText() {}

  /** The lines with their checksum. */
  static String sealed(CharSequence lines) {
    return lines + "end crc32c " + checksum(lines.toString()) + "\n";
  }

  /**
   * The lines of the manifest of a folder, without the last.
   *
   * @throws BraidException {@code BACKUP} when there is none, or it is damaged
   */
  static List<String> read(Path folder) throws IOException {
    Path file = folder.resolve(NAME);
    try {
      if (Files.size(file) > LONGEST) {
        throw damaged(folder);
      }
      String text = Files.readString(file);
      int end = text.lastIndexOf("end crc32c ");
      Matcher last = END.matcher(end < 0 ? "" : text.substring(end).strip());
      if (!last.matches() || !checksum(text.substring(0, end)).equals(last.group(1))) {
        throw damaged(folder);
      }
      return text.substring(0, end).lines().toList();
    } catch (NoSuchFileException e) {
      throw new BraidException(
          ErrorCode.BACKUP,
          "There is no backup in " + folder + ": name the folder that 'braid backup' made.",
          e);
    }
  }

  static BraidException damaged(Path folder) {
    return new BraidException(
        ErrorCode.BACKUP, folder.resolve(NAME) + " is damaged: use another backup.");
  }

  static BraidException otherVersion(Path folder) {
    return new BraidException(
        ErrorCode.BACKUP,
        folder.resolve(NAME)
            + " is of another version of Braid: restore it with that one, or a newer one.");
  }

  private static String checksum(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return String.format("%08x", crc.getValue());
  }
}
