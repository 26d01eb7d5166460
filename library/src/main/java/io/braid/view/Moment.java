package io.braid.view;

import io.braid.Braid;
import io.braid.changes.feed.Position;
import io.braid.core.time.Lineage;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.TransactionException;
import io.braid.core.transaction.Transactions;
import io.braid.text.MomentText;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A moment as people write it: a timestamp, a time, a day, a time span ago, the name of a pin, or a
 * position that the feed of this database gave.
 */
public final class Moment {
  private Moment() {}

  /**
   * The snapshot of a moment; the caller closes it.
   *
   * @throws IllegalArgumentException when the text is none, or the moment has not come
   * @throws TransactionException {@code SNAPSHOT_TOO_OLD} when it is too long ago
   */
  public static Snapshot open(Braid db, String when) {
    OptionalLong exact = exact(db, when);
    return exact.isPresent()
        ? db.transactions().snapshotAt(exact.getAsLong())
        : db.transactions().snapshotAt(MomentText.time(when));
  }

  /**
   * The last timestamp of a moment, be it long ago or yet to come.
   *
   * @throws IllegalArgumentException when the text is none
   */
  public static long timestamp(Braid db, String when) {
    OptionalLong exact = exact(db, when);
    return exact.isPresent() ? exact.getAsLong() : db.oracle().lastAt(MomentText.time(when));
  }

  /**
   * Returns the timestamp of a moment written as a timestamp, a time span ago, a position or a pin.
   */
  private static OptionalLong exact(Braid db, String when) {
    Optional<Duration> ago = MomentText.ago(when);
    if (ago.isPresent()) {
      return OptionalLong.of(ago(db, ago.get()));
    }
    OptionalLong printed = Timestamp.parse(when);
    if (printed.isEmpty() && Position.is(when)) {
      return OptionalLong.of(ofFeed(db, Position.parse(when)));
    }
    return printed.isPresent()
        ? printed
        : db.transactions().pins().stream()
            .filter(pin -> pin.name().equals(when))
            .mapToLong(Transactions.Pin::timestamp)
            .findFirst();
  }

  private static long ofFeed(Braid db, Position position) {
    String own = Lineage.markOf(db.store(), db.loads().seams().random());
    if (position.row() != null || (position.lineage() != null && !own.equals(position.lineage()))) {
      throw new IllegalArgumentException(
          position.row() != null
              ? "Position " + position + " lies within a transaction: no snapshot ends there."
              : "Position " + position + " is of the feed of another database.");
    }
    return position.timestamp();
  }

  /** Counts back by the clock that gives out timestamps. The clock of this machine may be ahead. */
  private static long ago(Braid db, Duration time) {
    try (Snapshot newest = db.snapshot()) {
      return Timestamp.before(newest.timestamp(), time);
    }
  }
}
