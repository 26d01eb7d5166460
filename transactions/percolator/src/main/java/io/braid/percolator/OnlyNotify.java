package io.braid.percolator;

import io.braid.core.cells.RowMutation;
import io.braid.core.protocol.Backoff;
import io.braid.core.store.Outcome;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.percolator.rows.Answer;
import io.braid.percolator.rows.NotifyRow;
import java.util.ArrayList;
import java.util.List;

/** The commit of a transaction that only notifies weakly: there is nothing to lock or to decide. */
final class OnlyNotify {
  private final Committer tools;
  private final CommitPlan plan;

  OnlyNotify(Committer tools, CommitPlan plan) {
    this.tools = tools;
    this.plan = plan;
  }

  /** Commits and returns the start timestamp, which is the version of the notifications. */
  long commit() {
    List<RowMutation> pending = plan.mutations();
    Backoff backoff = tools.around.storeBackoff();
    for (int attempt = 1; ; attempt++) {
      List<RowMutation> open = new ArrayList<>();
      List<Outcome<Answer>> outcomes = send(pending);
      Outcome<?> failure = null;
      for (int i = 0; i < outcomes.size(); i++) {
        Outcome<Answer> outcome = outcomes.get(i);
        if (!(outcome instanceof Outcome.Done<Answer> done)) {
          failure = outcome;
          open.add(pending.get(i));
        } else if (done.result() instanceof Answer.Refused refused) {
          throw tools.refused(plan, refused.refusal());
        }
      }
      if (failure == null) {
        return plan.start();
      }
      if (attempt == tools.around.storeAttempts() || !backoff.pause()) {
        throw new CommitOutcomeUnknownException(
            plan.id(), "Some weak notifications may be written; to repeat them does no harm.");
      }
      pending = open;
    }
  }

  private List<Outcome<Answer>> send(List<RowMutation> pending) {
    List<NotifyRow.Request> requests = new ArrayList<>(pending.size());
    for (RowMutation mutation : pending) {
      requests.add(new NotifyRow.Request(mutation, plan.start(), plan.primary()));
    }
    return tools.around.trips().execute(NotifyRow.INSTANCE, requests, tools.atCommit());
  }
}
