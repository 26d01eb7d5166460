package io.braid.cli.loads;

import io.braid.changes.feed.Change;
import io.braid.core.time.Timestamp;
import io.braid.view.ByteText;
import io.braid.view.Columns;

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
}
