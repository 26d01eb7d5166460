package io.braid.backup;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The contents that a backup must have.
 *
 * @param lineage the database that the backup is of; null in a format that names none
 * @param timestamp drawn when the backup was begun: everything acknowledged before is in the backup
 * @param resolved a timestamp for each table that kept its changes: the backup has all changes up
 *     to the timestamp, so later ones can be added from the table's change feed
 */
record BackupManifest(
    @Nullable String lineage, long timestamp, Map<String, Long> resolved, List<FileEntry> files) {
  private static final String FIRST = "braid-backup 3";
  private static final Set<String> BEFORE = Set.of("braid-backup 1", "braid-backup 2");
  private static final Pattern TIMESTAMP = Pattern.compile("timestamp ([0-9]{1,19})");
  private static final Pattern RESOLVED = Pattern.compile("resolved ([0-9]{1,19}) (\\S{1,128})");
  private static final Pattern FILE =
      Pattern.compile(
          "file ([0-9]{1,18}) ([0-9a-f]{64}) ((?:rocksdb/)?[A-Za-z0-9_-][A-Za-z0-9_.-]{0,200})");

  BackupManifest {
    resolved = new TreeMap<>(resolved);
    files = List.copyOf(files);
  }

  /** A file, and the size and the checksum that it must have. */
  record FileEntry(String name, long bytes, String sha256) {}

  long bytes() {
    return files.stream().mapToLong(FileEntry::bytes).sum();
  }

  String text() {
    StringBuilder text = new StringBuilder(FIRST).append('\n');
    text.append(BackupLineage.line(Objects.requireNonNull(lineage)));
    text.append("timestamp ").append(timestamp).append('\n');
    resolved.forEach(
        (table, at) -> text.append("resolved ").append(at).append(' ').append(table).append('\n'));
    for (FileEntry file : files) {
      text.append("file ").append(file.bytes).append(' ').append(file.sha256).append(' ');
      text.append(file.name).append('\n');
    }
    return ManifestText.sealed(text);
  }

  /**
   * Reads the manifest of a backup.
   *
   * @throws BraidException {@code BACKUP} when there is none, or it is damaged or of a newer
   *     version
   */
  static BackupManifest read(Path backup) throws IOException {
    List<String> lines = ManifestText.read(backup);
    if (IncrementManifest.isFirst(lines)) {
      throw new BraidException(
          ErrorCode.BACKUP,
          backup + " holds an increment: name the whole backup first, then its increments.");
    }
    if (lines.isEmpty() || !(lines.get(0).equals(FIRST) || BEFORE.contains(lines.get(0)))) {
      throw ManifestText.otherVersion(backup);
    }
    String lineage = lines.size() < 2 ? null : BackupLineage.parse(lines.get(1));
    int next = lineage == null ? 1 : 2;
    Matcher timestamp = TIMESTAMP.matcher(lines.size() <= next ? "" : lines.get(next));
    if (!timestamp.matches() || (lineage != null) != lines.get(0).equals(FIRST)) {
      throw ManifestText.damaged(backup);
    }
    Map<String, Long> resolved = new TreeMap<>();
    List<FileEntry> files = new ArrayList<>();
    for (String line : lines.subList(next + 1, lines.size())) {
      Matcher feed = RESOLVED.matcher(line);
      Matcher entry = FILE.matcher(line);
      if (feed.matches()) {
        resolved.put(feed.group(2), Long.parseLong(feed.group(1)));
      } else if (entry.matches()) {
        files.add(new FileEntry(entry.group(3), Long.parseLong(entry.group(1)), entry.group(2)));
      } else {
        throw ManifestText.damaged(backup);
      }
    }
    return new BackupManifest(lineage, Long.parseLong(timestamp.group(1)), resolved, files);
  }
}
