package io.braid.cli;

import io.braid.batch.changes.Change;
import io.braid.core.time.Timestamp;
import io.braid.view.ByteText;
import io.braid.view.Columns;
import java.time.Duration;

/** Changes as people read them. */
final class ChangesText {
  private ChangesText() {}

  static String of(Change change) {
    StringBuilder text = new StringBuilder(Timestamp.toText(change.commit()));
    text.append("  ").append(ByteText.show(change.row().key()));
    change
        .columns()
        .forEach(
            (column, value) -> {
              text.append("  ").append(Columns.show(column));
              text.append(value == null ? " deleted" : " = " + ByteText.show(value));
            });
    return text.toString();
  }

  /** A time in the largest unit that it is a whole number of. */
  static String time(Duration time) {
    long seconds = time.toSeconds();
    if (seconds == 0 || time.toMillis() % 1000 != 0) {
      return time.toMillis() + " ms";
    }
    if (seconds % 86_400 == 0) {
      return seconds / 86_400 + " d";
    }
    if (seconds % 3_600 == 0) {
      return seconds / 3_600 + " h";
    }
    return seconds % 60 == 0 ? seconds / 60 + " min" : seconds + " s";
  }
}
