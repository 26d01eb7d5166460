package io.braid.omid;

import io.braid.core.cells.RowMutation;
import io.braid.core.protocol.Backoff;
import io.braid.core.store.Outcome;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.omid.rows.Answer;
import io.braid.omid.rows.NotifyRow;
import java.util.ArrayList;
import java.util.List;

/**
 * The commit of a transaction that only notifies weakly: there are no conflicts to find, and there
 * is nothing to decide.
 */
final class OnlyNotify {
  private final Surroundings around;
  private final CommitPlan plan;

  OnlyNotify(Surroundings around, CommitPlan plan) {
    this.around = around;
    this.plan = plan;
  }

  /** Commits and returns the start timestamp, which is the version of the notifications. */
  long commit() {
    List<RowMutation> pending = plan.mutations();
    Backoff backoff = around.storeBackoff();
    for (int attempt = 1; ; attempt++) {
      pending = send(pending);
      if (pending.isEmpty()) {
        return plan.start();
      }
      if (attempt == around.storeAttempts() || !backoff.pause()) {
        throw new CommitOutcomeUnknownException(
            plan.id(), "Some weak notifications may be written; to repeat them does no harm.");
      }
    }
  }

  /** Sends the rows in one trip; returns those that the store did not answer for. */
  private List<RowMutation> send(List<RowMutation> pending) {
    List<NotifyRow.Request> requests = new ArrayList<>(pending.size());
    for (RowMutation mutation : pending) {
      requests.add(new NotifyRow.Request(mutation, plan.start(), plan.decision().key()));
    }
    List<Outcome<Answer>> outcomes =
        around.trips().execute(NotifyRow.INSTANCE, requests, around.atCommit());
    List<RowMutation> open = new ArrayList<>(0);
    for (int i = 0; i < outcomes.size(); i++) {
      if (!(outcomes.get(i) instanceof Outcome.Done<Answer> done)) {
        open.add(pending.get(i));
      } else if (done.result() instanceof Answer.Refused refused) {
        throw plan.refused(refused.refusal(), around.tables());
      }
    }
    return open;
  }
}
