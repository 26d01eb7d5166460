package io.braid.percolator.commit;

import io.braid.core.cells.RowMutation;
import io.braid.core.cells.WriteStage;
import io.braid.core.protocol.CommitFailures;
import io.braid.percolator.resolution.DecidedRow;
import io.braid.percolator.resolution.Decision;
import io.braid.percolator.rows.CommitPrimary;
import java.util.ArrayList;
import java.util.List;

/**
 * The commit of Percolator (section 2.2, figure 6).
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>The commit timestamp is drawn only after every intent is acknowledged: a snapshot drawn
 *       later finds all intents.
 *   <li>{@link CommitPrimary} is the commit point. After a call was sent that may commit, only the
 *       primary shows how the transaction ended. The primary is asked in a way that decides.
 *   <li>A rollback leaves a mark at the primary if calls may still arrive. After a plain conflict
 *       it leaves none. A copy of a prewrite that arrives even later is a lock that is never
 *       committed, and is removed like any other lock.
 * </ul>
 */
final class TwoPhase {
  private final CommitSteps steps;
  private final PlanWithPrimary plan;
  private final LateCalls late;
  private final Prewriting prewriting;

  /**
   * @param late the calls that may still arrive of an attempt in one phase
   */
  TwoPhase(CommitSteps steps, PlanWithPrimary plan, LateCalls late) {
    this.steps = steps;
    this.plan = plan;
    this.late = late;
    this.prewriting = new Prewriting(steps, plan, late, WriteStage.ONLY);
  }

  long commit() {
    try (HeartbeatDuty.Beating beating = steps.heartbeat.begin(plan.primary(), plan.start())) {
      long commit;
      try {
        commit = prewriting.place(plan.mutations(), beating.wallMillis());
        if (commit == 0) {
          CommitFailures.stopIfInterrupted(plan.start());
          commit = commitPoint().commit(steps.around.oracle().next());
        }
      } catch (RuntimeException failure) {
        commit = rollBack(failure);
      }
      // After the commit point: nothing from here on rolls anything back.
      finishSecondaries(commit);
      return commit;
    }
  }

  private CommitPoint commitPoint() {
    RowMutation first = plan.first();
    return new CommitPoint(steps, plan, late, first.epoch(), !first.weak().isEmpty());
  }

  private void finishSecondaries(long commit) {
    Decision decision = new Decision(commit);
    if (plan.mutations().size() > 1) {
      steps.points.decided(plan.primary(), plan.start(), decision);
    }
    List<DecidedRow> rows = new ArrayList<>(plan.mutations().size() - 1);
    for (RowMutation mutation : plan.mutations().subList(1, plan.mutations().size())) {
      rows.add(decided(mutation, decision));
    }
    steps.finish.finish(rows);
  }

  /** Throws the failure, unless the primary says that the transaction has committed. */
  private long rollBack(RuntimeException failure) {
    steps.points.abandon(plan.start());
    List<RowMutation> rows = prewriting.placed();
    if (late.mayPrewrite() || late.mayCommit()) {
      rows = plan.mutations();
      long commit = CommitSteps.ended(plan, late, steps.decideOwn(plan));
      if (commit != 0) {
        return commit;
      }
    }
    List<DecidedRow> decided = new ArrayList<>(rows.size());
    for (RowMutation mutation : rows) {
      decided.add(decided(mutation, Decision.ROLLED_BACK));
    }
    steps.finisher.finish(decided);
    throw failure;
  }

  private DecidedRow decided(RowMutation mutation, Decision decision) {
    return new DecidedRow(mutation.row(), plan.start(), decision, !mutation.weak().isEmpty());
  }
}
