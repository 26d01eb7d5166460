package io.braid.percolator;

import io.braid.core.cells.RowMutation;
import io.braid.core.cells.WriteStage;
import io.braid.core.transaction.CommitOutcomeUnknownException;
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
  private final Committer tools;
  private final CommitPlan plan;
  private final LateCalls late;
  private final Prewriting prewriting;

  /**
   * @param late the calls that may still arrive of an attempt in one phase
   */
  TwoPhase(Committer tools, CommitPlan plan, LateCalls late) {
    this.tools = tools;
    this.plan = plan;
    this.late = late;
    this.prewriting = new Prewriting(tools, plan, late, WriteStage.ONLY);
  }

  long commit() {
    try (HeartbeatDuty.Beating beating = tools.heartbeat.begin(plan.primary(), plan.start())) {
      long commit;
      try {
        commit = prewriting.place(plan.mutations(), beating.wallMillis());
        if (commit == 0) {
          Prewriting.stopIfInterrupted(plan);
          commit = commitPoint().commit(tools.around.oracle().next());
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
    return new CommitPoint(tools, plan, late, first.epoch(), !first.weak().isEmpty());
  }

  private void finishSecondaries(long commit) {
    Decision decision = new Decision(commit);
    if (plan.mutations().size() > 1) {
      tools.points.decided(plan.primary(), plan.start(), decision);
    }
    List<DecidedRow> rows = new ArrayList<>(plan.mutations().size() - 1);
    for (RowMutation mutation : plan.mutations().subList(1, plan.mutations().size())) {
      rows.add(decided(mutation, decision));
    }
    tools.finish.finish(rows);
  }

  /** Throws the failure, unless the primary says that the transaction has committed. */
  private long rollBack(RuntimeException failure) {
    tools.points.abandon(plan.start());
    List<RowMutation> rows = prewriting.placed();
    if (late.mayPrewrite() || late.mayCommit()) {
      rows = plan.mutations();
      Decision decision = tools.decideOwn(plan);
      if (decision == null && late.mayCommit()) {
        throw new CommitOutcomeUnknownException(plan.id(), late.detail());
      }
      if (decision != null && decision.isCommitted()) {
        return decision.commit();
      }
    }
    List<DecidedRow> decided = new ArrayList<>(rows.size());
    for (RowMutation mutation : rows) {
      decided.add(decided(mutation, Decision.ROLLED_BACK));
    }
    tools.finisher.finish(decided);
    throw failure;
  }

  private DecidedRow decided(RowMutation mutation, Decision decision) {
    return new DecidedRow(mutation.row(), plan.start(), decision, !mutation.weak().isEmpty());
  }
}
