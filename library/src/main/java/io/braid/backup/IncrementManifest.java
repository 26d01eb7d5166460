package io.braid.backup;

import io.braid.backup.BackupManifest.FileEntry;
import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.transaction.Protocol;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The contents that an increment must have, or a backup of rows, which is an increment on no base.
 *
 * @param lineage the database that the increment is of; null in a format that names none
 * @param base SHA-256 of the manifest of the backup or increment that it continues, or {@link
 *     #NOTHING}
 * @param timestamp with the increment, everything is as it was at this timestamp
 * @param tables all tables that existed at the timestamp
 */
record IncrementManifest(@Nullable String lineage, String base, long timestamp, List<Part> tables) {
  /** The base of a backup that holds all rows of all tables. */
  static final String NOTHING = "0".repeat(64);

  private static final String FIRST = "braid-increment 2";
  private static final String BEFORE = "braid-increment 1";
  private static final Pattern BASE = Pattern.compile("base ([0-9a-f]{64})");
  private static final Pattern TIMESTAMP = Pattern.compile("timestamp ([0-9]{1,19})");
  private static final Pattern TABLE =
      Pattern.compile(
          "table (changes|rows) (percolator|omid) ([0-9]{1,18}) ([0-9a-f]{64})"
              + " ([0-9]{1,9}\\.jsonl) (\\S{1,128}) (\\S+)");

  IncrementManifest {
    tables = List.copyOf(tables);
  }

  /**
   * The part for one table.
   *
   * @param whole whether the file holds all rows of the table, and not only changes
   */
  record Part(
      String table, List<String> families, Protocol protocol, boolean whole, FileEntry file) {}

  static boolean isFirst(List<String> lines) {
    return !lines.isEmpty() && lines.get(0).startsWith("braid-increment ");
  }

  /** Returns whether it has no base: it is a backup of rows. */
  boolean isWhole() {
    return base.equals(NOTHING);
  }

  /** Whether a folder holds a backup of rows. */
  static boolean isWhole(Path folder) throws IOException {
    return isFirst(ManifestText.read(folder)) && read(folder).isWhole();
  }

  long bytes() {
    return tables.stream().mapToLong(each -> each.file.bytes()).sum();
  }

  String text() {
    StringBuilder text = new StringBuilder(FIRST).append('\n');
    text.append(BackupLineage.line(Objects.requireNonNull(lineage)));
    text.append("base ").append(base).append('\n');
    text.append("timestamp ").append(timestamp).append('\n');
    for (Part each : tables) {
      text.append(
          String.join(
              " ",
              "table",
              each.whole ? "rows" : "changes",
              each.protocol.word(),
              Long.toString(each.file.bytes()),
              each.file.sha256(),
              each.file.name(),
              each.table,
              String.join(",", each.families)));
      text.append('\n');
    }
    return ManifestText.sealed(text);
  }

  /**
   * Reads the manifest of an increment.
   *
   * @throws BraidException {@code BACKUP} when there is none, or it is damaged or of a newer
   *     version
   */
  static IncrementManifest read(Path increment) throws IOException {
    List<String> lines = ManifestText.read(increment);
    if (!isFirst(lines)) {
      throw new BraidException(
          ErrorCode.BACKUP, increment + " holds no increment, but a whole backup.");
    }
    if (!lines.get(0).equals(FIRST) && !lines.get(0).equals(BEFORE)) {
      throw ManifestText.otherVersion(increment);
    }
    String lineage = lines.size() < 2 ? null : BackupLineage.parse(lines.get(1));
    int next = lineage == null ? 1 : 2;
    boolean enough = lines.size() >= next + 2;
    Matcher base = BASE.matcher(enough ? lines.get(next) : "");
    Matcher timestamp = TIMESTAMP.matcher(enough ? lines.get(next + 1) : "");
    if (!base.matches()
        || !timestamp.matches()
        || (lineage != null) != lines.get(0).equals(FIRST)) {
      throw ManifestText.damaged(increment);
    }
    List<Part> tables = new ArrayList<>();
    for (String line : lines.subList(next + 2, lines.size())) {
      Matcher table = TABLE.matcher(line);
      if (!table.matches()) {
        throw ManifestText.damaged(increment);
      }
      tables.add(
          new Part(
              table.group(6),
              List.of(table.group(7).split(",")),
              Protocol.valueOf(table.group(2).toUpperCase(Locale.ROOT)),
              table.group(1).equals("rows"),
              new FileEntry(table.group(5), Long.parseLong(table.group(3)), table.group(4))));
    }
    return new IncrementManifest(
        lineage, base.group(1), Long.parseLong(timestamp.group(1)), tables);
  }
}
