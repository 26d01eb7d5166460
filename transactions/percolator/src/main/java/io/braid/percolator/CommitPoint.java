package io.braid.percolator;

import io.braid.core.protocol.Backoff;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.percolator.rows.Answer;
import io.braid.percolator.rows.CommitPrimary;
import io.braid.percolator.rows.EndWriting;

/** The calls of the owner of a transaction at its primary when all intents are placed. */
final class CommitPoint {
  private final Committer tools;
  private final CommitPlan plan;
  private final LateCalls late;
  private final long epoch;
  private final boolean weak;

  /**
   * @param epoch the epoch of the primary's table that the transaction was begun with
   * @param weak whether there may be weak notifications in the primary's row
   */
  CommitPoint(Committer tools, CommitPlan plan, LateCalls late, long epoch, boolean weak) {
    this.tools = tools;
    this.plan = plan;
    this.late = late;
    this.epoch = epoch;
    this.weak = weak;
  }

  /**
   * Makes the transaction committed.
   *
   * @param commit a timestamp that was drawn after all intents were placed
   * @return the timestamp at which the transaction is committed
   */
  long commit(long commit) {
    return insist(
        CommitPrimary.INSTANCE,
        new CommitPrimary.Request(plan.primary(), epoch, plan.start(), commit, weak),
        tools.atCommit(),
        true);
  }

  /**
   * Marks the end of writing; returns 0, or the timestamp if the transaction is committed already.
   */
  long endWriting() {
    return insist(
        EndWriting.INSTANCE,
        new EndWriting.Request(plan.primary(), epoch, plan.start()),
        tools.beforeCommit(),
        false);
  }

  private <A> long insist(
      Procedure<A, Answer> procedure, A request, Durability durability, boolean commits) {
    Backoff backoff = tools.around.storeBackoff();
    for (int attempt = 1; ; attempt++) {
      Outcome<Answer> outcome = tools.around.trips().execute(procedure, request, durability);
      if (outcome instanceof Outcome.Done<Answer> done
          && done.result() instanceof Answer.Committed committed) {
        return committed.commit();
      }
      if (outcome instanceof Outcome.Done<Answer> done
          && done.result() instanceof Answer.Prewritten) {
        return 0;
      }
      if (commits) {
        late.afterCommit(outcome);
      }
      if (outcome instanceof Outcome.Done<Answer> done) {
        throw done.result() instanceof Answer.Refused refused
            ? tools.refused(plan, refused.refusal())
            : Committer.rolledBack(plan);
      }
      if (!Committer.worthRetrying(outcome)
          || attempt == tools.around.storeAttempts()
          || !backoff.pause()) {
        throw tools.notCommitted(plan, outcome);
      }
    }
  }
}
