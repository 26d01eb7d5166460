package io.braid.core.protocol;

import io.braid.core.store.Outcome;
import io.braid.core.store.StoreException;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.transaction.TransactionException;

/** The calls of a commit that the store did not execute or answer, and what follows from them. */
public final class CommitFailures {
  private CommitFailures() {}

  /** Whether the same call may succeed after a pause. */
  public static boolean worthRetrying(Outcome<?> outcome) {
    return outcome instanceof Outcome.Unknown<?>
        || (outcome instanceof Outcome.NotExecuted<?> not
            && not.reason() == Outcome.Reason.UNAVAILABLE);
  }

  /** Whether no single procedure reaches all rows of the call. */
  public static boolean isNotTogether(Outcome<?> outcome) {
    return outcome instanceof Outcome.NotExecuted<?> not
        && not.reason() == Outcome.Reason.NOT_TOGETHER;
  }

  /** Returns the exception for a commit that the store did not take, or whose answer was lost. */
  public static RuntimeException notCommitted(long start, Outcome<?> last) {
    if (Backoff.interrupted()) {
      return TransactionException.interrupted(start);
    }
    String text = "The transaction did not commit: the store answered " + last + ".";
    return last instanceof Outcome.NotExecuted<?> not && not.reason() == Outcome.Reason.READ_ONLY
        ? new StoreException(text)
        : new TabletUnavailableException(text);
  }

  /** Ends a commit whose thread was interrupted. */
  public static void stopIfInterrupted(long start) {
    if (Backoff.interrupted()) {
      throw TransactionException.interrupted(start);
    }
  }
}
