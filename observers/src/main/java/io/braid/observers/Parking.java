package io.braid.observers;

import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.observers.rows.Epochs;
import io.braid.observers.rows.GuardedAnswer;
import io.braid.observers.rows.ParkChange;
import io.braid.observers.rows.ParkedChange;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Parks changes that an observer of this process kept failing at, and remembers the latest. */
final class Parking {
  private static final int REMEMBERED = 100;

  private final Epochs epochs;

  // Guarded by latest.
  private final Deque<ParkedChange> latest = new ArrayDeque<>();
  private long count;

  Parking(Epochs epochs) {
    this.epochs = epochs;
  }

  /**
   * Whether the change is parked; otherwise it is pending as before, or may be parked after all.
   */
  boolean park(ParkedChange change, boolean weak) {
    Outcome<GuardedAnswer> outcome =
        epochs.execute(
            ParkChange.INSTANCE,
            change.row().table(),
            epoch -> new ParkChange.Request(epoch, weak, change),
            Durability.SYNCED);
    boolean parked =
        outcome instanceof Outcome.Done<GuardedAnswer> done
            && done.result().kind() == GuardedAnswer.Kind.DONE;
    if (parked) {
      remember(change);
    }
    return parked;
  }

  private void remember(ParkedChange change) {
    synchronized (latest) {
      count++;
      latest.add(change);
      if (latest.size() > REMEMBERED) {
        latest.remove();
      }
    }
  }

  /** How many changes were parked. */
  long count() {
    synchronized (latest) {
      return count;
    }
  }

  /** Those parked last, the latest at the end. */
  List<ParkedChange> latest() {
    synchronized (latest) {
      return List.copyOf(latest);
    }
  }
}
