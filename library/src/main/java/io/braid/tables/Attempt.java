package io.braid.tables;

import io.braid.core.protocol.Backoff;
import io.braid.core.runtime.Seams;
import io.braid.core.store.TableReplacedException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionBody;
import java.time.Duration;
import java.util.function.Supplier;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that is run again if it conflicts.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public interface Attempt extends Transaction {
  int MOST = 50;
  Duration PAUSE = Duration.ofMillis(2);
  Duration LONGEST_PAUSE = Duration.ofMillis(200);

  /** Whether it was neither committed nor rolled back. */
  boolean isActive();

  /** Whether its commit was refused because others were first. */
  boolean hasConflicted();

  private static boolean again(Backoff backoff) {
    return backoff.pauses() + 1 < MOST && backoff.pause();
  }

  /** As {@link io.braid.core.transaction.Transactions#run}. */
  static <R extends @Nullable Object, E extends Exception> R run(
      Seams seams, Supplier<? extends Attempt> begin, TransactionBody<R, E> body) throws E {
    Backoff backoff = new Backoff(seams, PAUSE, LONGEST_PAUSE);
    while (true) {
      try (Attempt tx = begin.get()) {
        try {
          R result = body.run(tx);
          if (tx.isActive()) {
            tx.commit();
          }
          return result;
        } catch (ConflictException e) {
          if (!tx.hasConflicted() || !again(backoff)) {
            throw e;
          }
        } catch (TableReplacedException e) {
          if (e.birth() <= tx.timestamp() || !again(backoff)) {
            throw e;
          }
        }
      }
    }
  }
}
