package io.braid.core.protocol;

import io.braid.core.runtime.Seams;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.TransactionBody;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The limits and pauses of retries.
 *
 * @param runAttempts how often {@code run} tries a body that conflicts
 * @param runPause the first pause between these; each further one is up to twice as long
 * @param runPauseMost the longest pause between these
 * @param storeAttempts how often a call is tried that the store did not execute or answer
 * @param storePause the first pause between these; each further one is up to twice as long
 */
public record Retries(
    int runAttempts,
    Duration runPause,
    Duration runPauseMost,
    int storeAttempts,
    Duration storePause) {
  public Retries {
    if (runAttempts <= 0 || storeAttempts <= 0) {
      throw new IllegalArgumentException("Attempts are at least 1.");
    }
  }

  /** Returns the retries of calls of the store. */
  public StoreRetries ofStore(Seams seams) {
    return new StoreRetries(seams, storeAttempts, storePause);
  }

  /** Does as {@link io.braid.core.transaction.Transactions#run} with transactions of a protocol. */
  public <R extends @Nullable Object, E extends Exception> R run(
      Seams seams, Supplier<? extends BufferedTransaction> begin, TransactionBody<R, E> body)
      throws E {
    Backoff backoff = null;
    while (true) {
      try (BufferedTransaction tx = begin.get()) {
        try {
          R result = body.run(tx);
          if (tx.isActive()) {
            tx.commit();
          }
          return result;
        } catch (ConflictException e) {
          if (backoff == null) {
            backoff = new Backoff(seams, runPause, runPauseMost);
          }
          boolean last = backoff.pauses() + 1 >= runAttempts;
          if (!tx.hasConflicted() || last || !backoff.pause()) {
            throw e;
          }
        }
      }
    }
  }
}
