package io.braid.backup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * What a backup must hold: the file {@code MANIFEST}, lines of text.
 *
 * @param timestamp drawn when the backup was begun: what was acknowledged before is in it
 */
record BackupManifest(long timestamp, List<FileEntry> files) {
  static final String NAME = "MANIFEST";
  private static final String FIRST = "braid-backup 1";
  private static final long LONGEST = 64L << 20;
  private static final Pattern TIMESTAMP = Pattern.compile("timestamp ([0-9]{1,19})");
  private static final Pattern FILE =
      Pattern.compile(
          "file ([0-9]{1,18}) ([0-9a-f]{64}) ((?:rocksdb/)?[A-Za-z0-9_-][A-Za-z0-9_.-]{0,200})");
  private static final Pattern END = Pattern.compile("end crc32c ([0-9a-f]{8})");

  BackupManifest {
    files = List.copyOf(files);
  }

  /** A file and what it must be. */
  record FileEntry(String name, long bytes, String sha256) {}

  long bytes() {
    return files.stream().mapToLong(FileEntry::bytes).sum();
  }

  String text() {
    StringBuilder text = new StringBuilder(FIRST).append('\n');
    text.append("timestamp ").append(timestamp).append('\n');
    for (FileEntry file : files) {
      text.append("file ").append(file.bytes).append(' ').append(file.sha256).append(' ');
      text.append(file.name).append('\n');
    }
    return text + "end crc32c " + checksum(text.toString()) + "\n";
  }

  /**
   * Reads the manifest of a backup.
   *
   * @throws BackupException when there is none, or it is damaged or of a newer version
   */
  static BackupManifest read(Path backup) throws IOException {
    Path file = backup.resolve(NAME);
    try {
      if (Files.size(file) > LONGEST) {
        throw damaged(file);
      }
      return parse(file, Files.readString(file));
    } catch (NoSuchFileException e) {
      throw new BackupException(
          "There is no backup in " + backup + ": name the folder that 'braid backup' made.", e);
    }
  }

  private static BackupManifest parse(Path file, String text) {
    int end = text.lastIndexOf("end crc32c ");
    Matcher last = END.matcher(end < 0 ? "" : text.substring(end).strip());
    if (!last.matches() || !checksum(text.substring(0, end)).equals(last.group(1))) {
      throw damaged(file);
    }
    List<String> lines = text.substring(0, end).lines().toList();
    if (lines.isEmpty() || !lines.get(0).equals(FIRST)) {
      throw new BackupException(
          file + " is of another version of Braid: restore it with that one, or a newer one.");
    }
    Matcher timestamp = TIMESTAMP.matcher(lines.size() < 2 ? "" : lines.get(1));
    if (!timestamp.matches()) {
      throw damaged(file);
    }
    List<FileEntry> files = new ArrayList<>();
    for (String line : lines.subList(2, lines.size())) {
      Matcher entry = FILE.matcher(line);
      if (!entry.matches()) {
        throw damaged(file);
      }
      files.add(new FileEntry(entry.group(3), Long.parseLong(entry.group(1)), entry.group(2)));
    }
    return new BackupManifest(Long.parseLong(timestamp.group(1)), files);
  }

  private static BackupException damaged(Path file) {
    return new BackupException(file + " is damaged: use another backup.");
  }

  private static String checksum(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return String.format("%08x", crc.getValue());
  }
}
