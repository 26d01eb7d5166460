package io.braid.batch.snapshot;

import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a snapshot: its table and tablet, the task that wrote it, and the number within that
 * task (algorithm 2, step 1): {@code foods.apple:banana.m3.20.snap}. Ends of the key space are
 * called MINKEY and MAXKEY. Bytes that are not allowed in file names are written as {@code %XX},
 * and long keys are cut. The file itself says which tablet it is for; the name only tells snapshots
 * apart.
 */
record SnapshotName(String tablet, int task, int number) {
  private static final int LONGEST_KEY = 48;
  private static final Pattern FORM = Pattern.compile("(.+)\\.m(\\d+)\\.(\\d+)\\.snap");

  static SnapshotName of(String table, KeyRange range, int task, int number) {
    Bytes end = range.end();
    String from = range.start().isEmpty() ? "MINKEY" : text(range.start());
    return new SnapshotName(
        text(Bytes.of(table)) + "." + from + ":" + (end == null ? "MAXKEY" : text(end)),
        task,
        number);
  }

  /** Parses the name of a file; empty when it is not the name of a snapshot. */
  static Optional<SnapshotName> parse(String file) {
    Matcher matcher = FORM.matcher(file);
    return matcher.matches()
        ? Optional.of(
            new SnapshotName(
                matcher.group(1),
                Integer.parseInt(matcher.group(2)),
                Integer.parseInt(matcher.group(3))))
        : Optional.empty();
  }

  String file() {
    return tablet + ".m" + task + "." + number + ".snap";
  }

  private static String text(Bytes key) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < key.length() && text.length() < LONGEST_KEY; i++) {
      int b = key.at(i) & 0xFF;
      boolean plain = b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9';
      text.append(
          plain || b == '_' || b == '-' ? (char) b : String.format(Locale.ROOT, "%%%02X", b));
    }
    return text.toString();
  }

  @Override
  public String toString() {
    return file();
  }
}
