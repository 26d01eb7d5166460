package io.braid.groups.log;

import io.braid.core.runtime.DurableFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.CRC32C;

/**
 * The file {@code SEGMENTS}: the names of all files of a log that may contain acknowledged entries.
 * A file is listed, durably, before the first entry is written to it, and taken off the list before
 * it is removed. So a listed file that is missing, or has no head, was lost together with its
 * entries. The first versions had no such list.
 */
final class KeptSegments {
  private static final String NAME = "SEGMENTS";
  private static final String CHECKSUM = "crc32c ";

  private final Path file;
  private final Set<String> names = new TreeSet<>();

  KeptSegments(Path directory) {
    this.file = directory.resolve(NAME);
  }

  /**
   * Reads the list on the disk.
   *
   * @throws LogBrokenException when the list is damaged
   */
  static Set<String> read(Path directory) throws IOException {
    Path file = directory.resolve(NAME);
    if (!Files.exists(file)) {
      return Set.of();
    }
    List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    int last = lines.size() - 1;
    if (last < 0 || !lines.get(last).equals(CHECKSUM + checksum(lines.subList(0, last)))) {
      throw new LogBrokenException(
          file + " is damaged: it tells which files there are. Restore it from a copy.", null);
    }
    return new TreeSet<>(lines.subList(0, last));
  }

  synchronized void add(String name) throws IOException {
    if (names.add(name)) {
      write();
    }
  }

  synchronized void remove(String name) throws IOException {
    if (names.remove(name)) {
      write();
    }
  }

  /** Files of an earlier life. */
  synchronized void adopt(Set<String> earlier) {
    names.addAll(earlier);
  }

  private void write() throws IOException {
    List<String> all = List.copyOf(names);
    String text =
        String.join("", all.stream().map(name -> name + "\n").toList())
            + CHECKSUM
            + checksum(all)
            + "\n";
    DurableFiles.write(file, text.getBytes(StandardCharsets.US_ASCII));
  }

  private static String checksum(List<String> lines) {
    CRC32C crc = new CRC32C();
    lines.forEach(line -> crc.update((line + "\n").getBytes(StandardCharsets.ISO_8859_1)));
    return String.format("%08x", crc.getValue());
  }
}
