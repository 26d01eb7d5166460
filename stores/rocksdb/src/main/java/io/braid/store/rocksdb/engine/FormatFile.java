package io.braid.store.rocksdb.engine;

import io.braid.core.runtime.DurableFiles;
import io.braid.core.store.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * The file {@code FORMAT}: one line that names the format of the directory and its version, with a
 * checksum. It is written before anything else, and read before anything else is touched.
 */
final class FormatFile {
  static final int VERSION = 1;
  private static final int LONGEST = 4096;
  private static final Pattern LINE =
      Pattern.compile("(braid-rocksdb (\\d{1,9})) crc32c ([0-9a-f]{8})\n");

  private FormatFile() {}

  /** Writes the file when there is none; otherwise refuses what this version cannot read. */
  static void ensure(Path file) throws IOException {
    if (Files.exists(file)) {
      check(file);
      return;
    }
    DurableFiles.write(file, line(VERSION).getBytes(StandardCharsets.UTF_8));
  }

  static String line(int version) {
    String text = "braid-rocksdb " + version;
    return text + " crc32c " + checksum(text) + "\n";
  }

  private static void check(Path file) throws IOException {
    if (Files.size(file) > LONGEST) {
      throw foreign(file);
    }
    // One character for each byte: bytes that are no text are damage, too.
    Matcher line = LINE.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
    if (!line.matches() || !checksum(line.group(1)).equals(line.group(3))) {
      throw foreign(file);
    }
    int version = Integer.parseInt(line.group(2));
    if (version != VERSION) {
      throw new StoreException(
          "The store was written in format "
              + version
              + "; this version of Braid reads format "
              + VERSION
              + ". Open it with the version that wrote it, or a newer one.");
    }
  }

  private static StoreException foreign(Path file) {
    return new StoreException(
        file
            + " is damaged, or not of Braid. Restore it from a backup, or give another directory.");
  }

  private static String checksum(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return String.format("%08x", crc.getValue());
  }
}
