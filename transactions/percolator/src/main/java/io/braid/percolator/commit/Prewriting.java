package io.braid.percolator.commit;

import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.RowMutation;
import io.braid.core.cells.WriteStage;
import io.braid.core.protocol.CommitFailures;
import io.braid.core.store.Outcome;
import io.braid.percolator.rows.Collision;
import io.braid.percolator.rows.PercolatorAnswer;
import io.braid.percolator.rows.Prewrite;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Places the intents of a transaction (Percolator, figure 6, lines 27 to 39). */
final class Prewriting {
  private final CommitSteps steps;
  private final PlanWithPrimary plan;
  private final LateCalls late;
  private final WriteStage stage;
  private final String owner;
  private final List<RowMutation> placed = new ArrayList<>();

  /**
   * @param late remembers the prewrites that may yet arrive
   */
  Prewriting(CommitSteps steps, PlanWithPrimary plan, LateCalls late, WriteStage stage) {
    this.steps = steps;
    this.plan = plan;
    this.late = late;
    this.stage = stage;
    this.owner = steps.around.seams().liveness().token();
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
    Attempts attempts = new Attempts(steps, plan);
    while (!pending.isEmpty()) {
      CommitFailures.stopIfInterrupted(plan.start());
      Round round = send(pending, wallMillis);
      if (round.committed != 0) {
        return round.committed;
      }
      RuntimeException refusal = round.refusal;
      if (refusal != null) {
        throw refusal;
      }
      if (!round.collisions.isEmpty() && !attempts.clearTheWay(round.collisions)) {
        throw CommitSteps.conflict(round.collisions);
      }
      Outcome<?> failure = round.failure;
      if (failure != null) {
        attempts.pauseAfter(failure);
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
    List<Outcome<PercolatorAnswer>> outcomes = execute(requests);
    for (int i = 0; i < pending.size(); i++) {
      RowMutation mutation = pending.get(i);
      if (outcomes.get(i) instanceof Outcome.Done<PercolatorAnswer> done) {
        sort(mutation, done.result(), round);
      } else {
        round.open.add(mutation);
        round.failure = outcomes.get(i);
        if (outcomes.get(i) instanceof Outcome.Unknown<PercolatorAnswer>) {
          late.prewrite();
        }
      }
    }
    return round;
  }

  private List<Outcome<PercolatorAnswer>> execute(List<Prewrite.Request> requests) {
    try {
      return steps.around.trips().execute(Prewrite.INSTANCE, requests, steps.beforeCommit());
    } catch (RuntimeException e) {
      late.prewrite();
      throw e;
    }
  }

  private void sort(RowMutation mutation, PercolatorAnswer answer, Round round) {
    if (answer instanceof PercolatorAnswer.Prewritten) {
      placed.add(mutation);
    } else if (answer instanceof PercolatorAnswer.Colliding colliding) {
      round.open.add(mutation);
      round.collisions.addAll(colliding.collisions());
    } else if (answer instanceof PercolatorAnswer.Committed committed) {
      round.committed = committed.commit();
    } else {
      round.refusal = steps.refusal(plan, answer);
    }
  }
}
