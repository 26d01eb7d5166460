package io.braid.percolator.commit;

import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.percolator.rows.CommitPrimary;
import io.braid.percolator.rows.EndWriting;
import io.braid.percolator.rows.PercolatorAnswer;

/** The calls of the owner of a transaction at its primary when all intents are placed. */
final class CommitPoint {
  private final CommitSteps steps;
  private final PlanWithPrimary plan;
  private final LateCalls late;
  private final long epoch;
  private final boolean weak;

  /**
   * @param epoch the epoch of the primary's table that the transaction was begun with
   * @param weak whether there may be weak notifications in the primary's row
   */
  CommitPoint(CommitSteps steps, PlanWithPrimary plan, LateCalls late, long epoch, boolean weak) {
    this.steps = steps;
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
        steps.atCommit(),
        true);
  }

  /**
   * Marks the end of writing; returns 0, or the timestamp if the transaction is committed already.
   */
  long endWriting() {
    return insist(
        EndWriting.INSTANCE,
        new EndWriting.Request(plan.primary(), epoch, plan.start()),
        steps.beforeCommit(),
        false);
  }

  private <A> long insist(
      Procedure<A, PercolatorAnswer> procedure, A request, Durability durability, boolean commits) {
    Attempts attempts = new Attempts(steps, plan);
    while (true) {
      Outcome<PercolatorAnswer> outcome =
          steps.around.trips().execute(procedure, request, durability);
      if (outcome instanceof Outcome.Done<PercolatorAnswer> done
          && done.result() instanceof PercolatorAnswer.Committed committed) {
        return committed.commit();
      }
      if (outcome instanceof Outcome.Done<PercolatorAnswer> done
          && done.result() instanceof PercolatorAnswer.Prewritten) {
        return 0;
      }
      if (commits) {
        late.afterCommit(outcome);
      }
      if (outcome instanceof Outcome.Done<PercolatorAnswer> done) {
        throw steps.refusal(plan, done.result());
      }
      attempts.pauseAfter(outcome);
    }
  }
}
