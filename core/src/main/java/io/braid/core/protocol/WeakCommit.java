package io.braid.core.protocol;

import io.braid.core.cells.RowMutation;
import io.braid.core.store.Outcome;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.TransactionId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The commit of a transaction that only notifies weakly: there are no conflicts to find, and there
 * is nothing to decide.
 *
 * @param <A> the answer to a row of notifications
 */
public final class WeakCommit<A> {
  private final StoreRetries retries;
  private final Function<List<RowMutation>, List<Outcome<A>>> send;
  private final Function<A, @Nullable RuntimeException> refusal;

  /**
   * @param send writes the notifications of some rows in one trip
   * @param refusal the error of an answer that refuses them; null for other answers
   */
  public WeakCommit(
      StoreRetries retries,
      Function<List<RowMutation>, List<Outcome<A>>> send,
      Function<A, @Nullable RuntimeException> refusal) {
    this.retries = retries;
    this.send = send;
    this.refusal = refusal;
  }

  /** Commits and returns the start timestamp, which is the version of the notifications. */
  public long commit(TransactionId id, List<RowMutation> mutations) {
    List<RowMutation> pending = mutations;
    Backoff backoff = retries.backoff();
    for (int attempt = 1; ; attempt++) {
      pending = unanswered(pending, send.apply(pending));
      if (pending.isEmpty()) {
        return id.start();
      }
      if (attempt == retries.attempts() || !backoff.pause()) {
        throw new CommitOutcomeUnknownException(
            id, "Some weak notifications may be written; to repeat them does no harm.");
      }
    }
  }

  private List<RowMutation> unanswered(List<RowMutation> sent, List<Outcome<A>> outcomes) {
    List<RowMutation> open = new ArrayList<>(0);
    for (int i = 0; i < outcomes.size(); i++) {
      if (!(outcomes.get(i) instanceof Outcome.Done<A> done)) {
        open.add(sent.get(i));
        continue;
      }
      RuntimeException refused = refusal.apply(done.result());
      if (refused != null) {
        throw refused;
      }
    }
    return open;
  }
}
