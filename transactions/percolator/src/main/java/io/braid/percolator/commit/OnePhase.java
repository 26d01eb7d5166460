package io.braid.percolator.commit;

import io.braid.core.protocol.CommitFailures;
import io.braid.core.store.Outcome;
import io.braid.percolator.rows.OnePhaseCommit;
import io.braid.percolator.rows.PercolatorAnswer;
import org.jspecify.annotations.Nullable;

/**
 * The commit of a transaction whose rows one procedure reaches.
 *
 * <p>No lock shows that such a commit is on its way, and stores resend. A call may find its way
 * clear later: its answer was lost, or its obstacle may go (another's lock, a hold, a clock without
 * timestamps). So the call could commit at any later time. Before a failure is reported, the
 * primary is asked. The primary either finds the commit, or keeps a mark that refuses the call for
 * ever.
 */
final class OnePhase {
  /** The answer of {@link #commit} when the rows have to be committed in two phases. */
  static final long NOT_TOGETHER = 0;

  private static final int CLOCK_ATTEMPTS = 4;

  private final CommitSteps steps;
  private final PlanWithPrimary plan;
  private final LateCalls late;
  // The outcome of a call that was made already; null once it was looked at.
  private @Nullable Outcome<PercolatorAnswer> first;

  /**
   * @param late remembers the calls that may yet commit the transaction
   * @param first the outcome of the first call, if that was made along with others
   */
  OnePhase(
      CommitSteps steps,
      PlanWithPrimary plan,
      LateCalls late,
      @Nullable Outcome<PercolatorAnswer> first) {
    this.steps = steps;
    this.plan = plan;
    this.late = late;
    this.first = first;
  }

  static OnePhaseCommit.Request request(PlanWithPrimary plan) {
    return new OnePhaseCommit.Request(plan.mutations(), plan.start(), plan.primary());
  }

  /** Commits and returns the commit timestamp, or {@link #NOT_TOGETHER}. */
  long commit() {
    try {
      return send();
    } catch (RuntimeException failure) {
      if (!late.mayCommit()) {
        throw failure;
      }
      long commit = CommitSteps.ended(plan, late, steps.decideOwn(plan));
      if (commit == 0) {
        throw failure;
      }
      return commit;
    }
  }

  private long send() {
    OnePhaseCommit.Request request = request(plan);
    Attempts attempts = new Attempts(steps, plan);
    int clocks = 0;
    while (true) {
      if (first == null) {
        CommitFailures.stopIfInterrupted(plan.start());
      }
      Outcome<PercolatorAnswer> outcome = call(request);
      if (outcome instanceof Outcome.Done<PercolatorAnswer> done) {
        PercolatorAnswer answer = done.result();
        if (answer instanceof PercolatorAnswer.Committed committed) {
          return committed.commit();
        }
        late.afterCommit(outcome);
        if (answer instanceof PercolatorAnswer.Exhausted) {
          if (clocks++ == CLOCK_ATTEMPTS) {
            return NOT_TOGETHER;
          }
          steps.around.store().advanceClock(steps.around.oracle()::next);
        } else if (!(answer instanceof PercolatorAnswer.Colliding colliding)
            || !attempts.clearTheWay(colliding.collisions())) {
          throw steps.refusal(plan, answer);
        }
      } else if (CommitFailures.isNotTogether(outcome)) {
        return NOT_TOGETHER;
      } else {
        late.afterCommit(outcome);
        attempts.pauseAfter(outcome);
      }
    }
  }

  private Outcome<PercolatorAnswer> call(OnePhaseCommit.Request request) {
    Outcome<PercolatorAnswer> made = first;
    first = null;
    return made != null
        ? made
        : steps.around.trips().execute(OnePhaseCommit.INSTANCE, request, steps.atCommit());
  }
}
