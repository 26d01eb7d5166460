package io.braid.backup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a backup must hold.
 *
 * @param timestamp drawn when the backup was begun: what was acknowledged before is in it
 * @param resolved of each table that kept its changes: those up to here are all in it, so what came
 *     later can be added from its change feed
 */
record BackupManifest(long timestamp, Map<String, Long> resolved, List<FileEntry> files) {
  private static final String FIRST = "braid-backup 2";
  private static final String BEFORE = "braid-backup 1";
  private static final Pattern TIMESTAMP = Pattern.compile("timestamp ([0-9]{1,19})");
  private static final Pattern RESOLVED = Pattern.compile("resolved ([0-9]{1,19}) (\\S{1,128})");
  private static final Pattern FILE =
      Pattern.compile(
          "file ([0-9]{1,18}) ([0-9a-f]{64}) ((?:rocksdb/)?[A-Za-z0-9_-][A-Za-z0-9_.-]{0,200})");

  BackupManifest {
    resolved = new TreeMap<>(resolved);
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
   * @throws BackupException when there is none, or it is damaged or of a newer version
   */
  static BackupManifest read(Path backup) throws IOException {
    List<String> lines = ManifestText.read(backup);
    if (IncrementManifest.isFirst(lines)) {
      throw new BackupException(
          backup + " holds an increment: name the whole backup first, then its increments.");
    }
    if (lines.isEmpty() || !(lines.get(0).equals(FIRST) || lines.get(0).equals(BEFORE))) {
      throw ManifestText.otherVersion(backup);
    }
    Matcher timestamp = TIMESTAMP.matcher(lines.size() < 2 ? "" : lines.get(1));
    if (!timestamp.matches()) {
      throw ManifestText.damaged(backup);
    }
    Map<String, Long> resolved = new TreeMap<>();
    List<FileEntry> files = new ArrayList<>();
    for (String line : lines.subList(2, lines.size())) {
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
    return new BackupManifest(Long.parseLong(timestamp.group(1)), resolved, files);
  }
}
