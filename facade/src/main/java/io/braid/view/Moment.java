package io.braid.view;

import io.braid.Braid;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transactions;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/** A moment as people write it: a timestamp, a time, or the name of a pin. */
public final class Moment {
  private Moment() {}

  /**
   * The snapshot of a moment; the caller closes it.
   *
   * @throws IllegalArgumentException when the text is none, or the moment has not come
   * @throws io.braid.core.transaction.SnapshotTooOldException when it is too long ago
   */
  public static Snapshot open(Braid db, String when) {
    Transactions transactions = db.transactions();
    if (when.matches("[0-9]{1,18}")) {
      return transactions.snapshotAt(Long.parseLong(when));
    }
    for (Transactions.Pin pin : transactions.pins()) {
      if (pin.name().equals(when)) {
        return transactions.snapshotAt(pin.timestamp());
      }
    }
    return transactions.snapshotAt(time(when));
  }

  private static Instant time(String when) {
    try {
      return Instant.parse(when);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "'"
              + when
              + "' is neither a timestamp, nor a time such as 2026-05-04T10:00:00Z, nor a pin.",
          e);
    }
  }
}
