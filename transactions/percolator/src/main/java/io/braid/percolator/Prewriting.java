package io.braid.percolator;

import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.RowMutation;
import io.braid.core.cells.WriteStage;
import io.braid.core.protocol.Backoff;
import io.braid.core.store.Outcome;
import io.braid.core.transaction.TransactionInterruptedException;
import io.braid.percolator.rows.Answer;
import io.braid.percolator.rows.Collision;
import io.braid.percolator.rows.Prewrite;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Places the intents of a transaction (Percolator, figure 6, lines 27 to 39). */
final class Prewriting {
  private static final int CLEARINGS = 4;

  private final Committer tools;
  private final CommitPlan plan;
  private final LateCalls late;
  private final WriteStage stage;
  private final String owner;
  private final List<RowMutation> placed = new ArrayList<>();

  /**
   * @param late remembers the prewrites that may yet arrive
   */
  Prewriting(Committer tools, CommitPlan plan, LateCalls late, WriteStage stage) {
    this.tools = tools;
    this.plan = plan;
    this.late = late;
    this.stage = stage;
    this.owner = tools.around.seams().liveness().token();
  }

  /** Returns the rows where intents were certainly placed. */
  List<RowMutation> placed() {
    return placed;
  }

  /**
   * Prewrites rows of the plan; returns 0, or the commit timestamp if the transaction turns out to
   * be committed.
   */
  long place(List<RowMutation> rows, long wallMillis) {
    List<RowMutation> pending = rows;
    Backoff backoff = tools.around.storeBackoff();
    int failures = 0;
    int clearings = 0;
    while (!pending.isEmpty()) {
      stopIfInterrupted(plan);
      Round round = send(pending, wallMillis);
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

  /** The result of one trip of prewrites. */
  private static final class Round {
    final List<RowMutation> open = new ArrayList<>(0);
    final List<Collision> collisions = new ArrayList<>(0);
    long committed;
    @Nullable RuntimeException refusal;
    @Nullable Outcome<?> failure;
  }

  private Round send(List<RowMutation> pending, long wallMillis) {
    PrimaryCell primary = plan.primary();
    List<Prewrite.Request> requests = new ArrayList<>(pending.size());
    for (RowMutation mutation : pending) {
      requests.add(new Prewrite.Request(mutation, plan.start(), primary, owner, wallMillis, stage));
    }
    Round round = new Round();
    List<Outcome<Answer>> outcomes = execute(requests);
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

  private List<Outcome<Answer>> execute(List<Prewrite.Request> requests) {
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

  static void stopIfInterrupted(CommitPlan plan) {
    if (Backoff.interrupted()) {
      throw new TransactionInterruptedException(plan.start());
    }
  }
}
