package io.braid.percolator;

import io.braid.core.cells.RowMutation;
import io.braid.core.protocol.Backoff;
import io.braid.core.store.Outcome;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.TransactionInterruptedException;
import io.braid.percolator.rows.Answer;
import io.braid.percolator.rows.Collision;
import io.braid.percolator.rows.CommitPrimary;
import io.braid.percolator.rows.Prewrite;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The commit of Percolator (section 2.2, figure 6).
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>The commit timestamp is asked for only after every intent is acknowledged: a snapshot drawn
 *       later finds them all.
 *   <li>{@link CommitPrimary} is the commit point. Once a call that may commit went out, only the
 *       primary can tell how it ended; it is asked, in a way that decides.
 *   <li>A rollback leaves a mark at the primary if calls may still arrive. After a plain conflict
 *       it leaves none: a copy of a prewrite that comes yet later is a lock that nobody commits,
 *       and goes the way of all locks.
 * </ul>
 */
final class TwoPhase {
  private static final int CLEARINGS = 4;

  private final Committer tools;
  private final CommitPlan plan;
  private final LateCalls late;
  private final String owner;
  private final List<RowMutation> placed = new ArrayList<>();

  /**
   * @param late what may still arrive of an attempt in one phase
   */
  TwoPhase(Committer tools, CommitPlan plan, LateCalls late) {
    this.tools = tools;
    this.plan = plan;
    this.late = late;
    this.owner = tools.around.seams().liveness().token();
  }

  long commit() {
    try (HeartbeatDuty.Beating beating = tools.heartbeat.begin(plan.primary(), plan.start())) {
      long commit;
      try {
        commit = prewriteAll(beating.wallMillis());
        if (commit == 0) {
          stopIfInterrupted();
          commit = commitPrimary(tools.around.oracle().next());
        }
      } catch (RuntimeException failure) {
        commit = rollBack(failure);
      }
      // Beyond the commit point: nothing that happens from here rolls anything back.
      finishSecondaries(commit);
      return commit;
    }
  }

  /**
   * Prewrites all rows; 0, or the commit timestamp if the transaction turns out to be committed.
   */
  private long prewriteAll(long wallMillis) {
    List<RowMutation> pending = plan.mutations();
    Backoff backoff = tools.around.storeBackoff();
    int failures = 0;
    int clearings = 0;
    while (!pending.isEmpty()) {
      stopIfInterrupted();
      Round round = prewrite(pending, wallMillis);
      if (round.committed != 0) {
        return round.committed;
      }
      RuntimeException refusal = round.refusal;
      if (refusal != null) {
        throw refusal;
      }
      if (!round.collisions.isEmpty()
          && (clearings++ == CLEARINGS || !tools.clearTheWay(round.collisions))) {
        throw Committer.conflict(round.collisions);
      }
      Outcome<?> failure = round.failure;
      if (failure != null
          && (!Committer.worthRetrying(failure)
              || ++failures == tools.around.storeAttempts()
              || !backoff.pause())) {
        throw tools.notCommitted(plan, failure);
      }
      pending = round.open;
    }
    return 0;
  }

  /** What one trip of prewrites brought. */
  private static final class Round {
    final List<RowMutation> open = new ArrayList<>(0);
    final List<Collision> collisions = new ArrayList<>(0);
    long committed;
    @Nullable RuntimeException refusal;
    @Nullable Outcome<?> failure;
  }

  private Round prewrite(List<RowMutation> pending, long wallMillis) {
    List<Prewrite.Request> requests = new ArrayList<>(pending.size());
    for (RowMutation mutation : pending) {
      requests.add(new Prewrite.Request(mutation, plan.start(), plan.primary(), owner, wallMillis));
    }
    Round round = new Round();
    List<Outcome<Answer>> outcomes = send(requests);
    for (int i = 0; i < pending.size(); i++) {
      RowMutation mutation = pending.get(i);
      if (outcomes.get(i) instanceof Outcome.Done<Answer> done) {
        sort(mutation, done.result(), round);
      } else {
        round.open.add(mutation);
        round.failure = outcomes.get(i);
        if (outcomes.get(i) instanceof Outcome.Unknown<Answer>) {
          late.prewrite();
        }
      }
    }
    return round;
  }

  private List<Outcome<Answer>> send(List<Prewrite.Request> requests) {
    try {
      return tools.around.trips().execute(Prewrite.INSTANCE, requests, tools.beforeCommit());
    } catch (RuntimeException e) {
      late.prewrite();
      throw e;
    }
  }

  private void sort(RowMutation mutation, Answer answer, Round round) {
    if (answer instanceof Answer.Prewritten) {
      placed.add(mutation);
    } else if (answer instanceof Answer.Colliding colliding) {
      round.open.add(mutation);
      round.collisions.addAll(colliding.collisions());
    } else if (answer instanceof Answer.Committed committed) {
      round.committed = committed.commit();
    } else if (answer instanceof Answer.Refused refused) {
      round.refusal = tools.refused(plan, refused.refusal());
    } else {
      round.refusal = Committer.rolledBack(plan);
    }
  }

  /** The commit point. */
  private long commitPrimary(long commit) {
    CommitPrimary.Request request =
        new CommitPrimary.Request(
            plan.primary(),
            plan.first().epoch(),
            plan.start(),
            commit,
            !plan.first().weak().isEmpty());
    Backoff backoff = tools.around.storeBackoff();
    for (int attempt = 1; ; attempt++) {
      Outcome<Answer> outcome =
          tools.around.trips().execute(CommitPrimary.INSTANCE, request, tools.atCommit());
      if (outcome instanceof Outcome.Done<Answer> done
          && done.result() instanceof Answer.Committed committed) {
        return committed.commit();
      }
      late.afterCommit(outcome);
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

  private void finishSecondaries(long commit) {
    Decision decision = new Decision(commit);
    List<DecidedRow> rows = new ArrayList<>(plan.mutations().size() - 1);
    for (RowMutation mutation : plan.mutations().subList(1, plan.mutations().size())) {
      rows.add(decided(mutation, decision));
    }
    tools.finish.finish(rows);
  }

  /** Throws the failure, unless the primary says that the transaction has committed. */
  private long rollBack(RuntimeException failure) {
    tools.points.abandon(plan.start());
    List<RowMutation> rows = placed;
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

  private void stopIfInterrupted() {
    if (Backoff.interrupted()) {
      throw new TransactionInterruptedException(plan.start());
    }
  }

  private DecidedRow decided(RowMutation mutation, Decision decision) {
    return new DecidedRow(mutation.row(), plan.start(), decision, !mutation.weak().isEmpty());
  }
}
