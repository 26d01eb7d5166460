package io.braid.observers;

import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.observers.rows.DeadLetter;
import io.braid.observers.rows.Epochs;
import io.braid.observers.rows.GuardedAnswer;
import io.braid.observers.rows.WriteDeadLetter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Writes the dead letters of the observers of this process, and remembers the latest. */
final class DeadLetters {
  private static final int REMEMBERED = 100;

  private final Epochs epochs;

  // Guarded by latest.
  private final Deque<DeadLetter> latest = new ArrayDeque<>();
  private long count;

  DeadLetters(Epochs epochs) {
    this.epochs = epochs;
  }

  /**
   * Whether the dead letter is written; otherwise the change is pending as before, or the dead
   * letter may be there after all.
   */
  boolean add(DeadLetter letter, boolean weak) {
    Outcome<GuardedAnswer> outcome =
        epochs.execute(
            WriteDeadLetter.INSTANCE,
            letter.row().table(),
            epoch -> new WriteDeadLetter.Request(epoch, weak, letter),
            Durability.SYNCED);
    boolean written =
        outcome instanceof Outcome.Done<GuardedAnswer> done
            && done.result().kind() == GuardedAnswer.Kind.DONE;
    if (written) {
      remember(letter);
    }
    return written;
  }

  private void remember(DeadLetter letter) {
    synchronized (latest) {
      count++;
      latest.add(letter);
      if (latest.size() > REMEMBERED) {
        latest.remove();
      }
    }
  }

  /** How many were written. */
  long count() {
    synchronized (latest) {
      return count;
    }
  }

  /** Those written last, the latest at the end. */
  List<DeadLetter> latest() {
    synchronized (latest) {
      return List.copyOf(latest);
    }
  }
}
