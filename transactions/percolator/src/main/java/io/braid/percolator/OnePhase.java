package io.braid.percolator;

import io.braid.core.protocol.Backoff;
import io.braid.core.store.Outcome;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.TransactionInterruptedException;
import io.braid.percolator.rows.Answer;
import io.braid.percolator.rows.OnePhaseCommit;
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

  private static final int CLEARINGS = 4;
  private static final int CLOCK_ATTEMPTS = 4;

  private final Committer tools;
  private final CommitPlan plan;
  private final LateCalls late;
  // The outcome of a call that was made already; null once it was looked at.
  private @Nullable Outcome<Answer> first;

  /**
   * @param late remembers the calls that may yet commit the transaction
   * @param first the outcome of the first call, if that was made along with others
   */
  OnePhase(Committer tools, CommitPlan plan, LateCalls late, @Nullable Outcome<Answer> first) {
    this.tools = tools;
    this.plan = plan;
    this.late = late;
    this.first = first;
  }

  static OnePhaseCommit.Request request(CommitPlan plan) {
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
      Decision decision = tools.decideOwn(plan);
      if (decision == null) {
        throw new CommitOutcomeUnknownException(plan.id(), late.detail());
      }
      if (!decision.isCommitted()) {
        throw failure;
      }
      return decision.commit();
    }
  }

  private long send() {
    OnePhaseCommit.Request request = request(plan);
    Backoff backoff = null;
    int failures = 0;
    int clearings = 0;
    int clocks = 0;
    while (true) {
      if (first == null && Backoff.interrupted()) {
        throw new TransactionInterruptedException(plan.start());
      }
      Outcome<Answer> outcome = call(request);
      if (outcome instanceof Outcome.Done<Answer> done) {
        Answer answer = done.result();
        if (answer instanceof Answer.Committed committed) {
          return committed.commit();
        }
        late.afterCommit(outcome);
        if (answer instanceof Answer.Exhausted) {
          if (clocks++ == CLOCK_ATTEMPTS) {
            return NOT_TOGETHER;
          }
          tools.around.store().advanceClock(tools.around.oracle()::next);
        } else if (!(answer instanceof Answer.Colliding colliding)
            || clearings++ == CLEARINGS
            || !tools.clearTheWay(colliding.collisions())) {
          throw refusal(answer);
        }
      } else if (isNotTogether(outcome)) {
        return NOT_TOGETHER;
      } else {
        late.afterCommit(outcome);
        backoff = backoff != null ? backoff : tools.around.storeBackoff();
        if (!Committer.worthRetrying(outcome)
            || ++failures == tools.around.storeAttempts()
            || !backoff.pause()) {
          throw tools.notCommitted(plan, outcome);
        }
      }
    }
  }

  private Outcome<Answer> call(OnePhaseCommit.Request request) {
    Outcome<Answer> made = first;
    first = null;
    return made != null
        ? made
        : tools.around.trips().execute(OnePhaseCommit.INSTANCE, request, tools.atCommit());
  }

  private RuntimeException refusal(Answer answer) {
    if (answer instanceof Answer.Colliding colliding) {
      return Committer.conflict(colliding.collisions());
    }
    if (answer instanceof Answer.Refused refused) {
      return tools.refused(plan, refused.refusal());
    }
    return Committer.rolledBack(plan);
  }

  private static boolean isNotTogether(Outcome<Answer> outcome) {
    return outcome instanceof Outcome.NotExecuted<Answer> not
        && not.reason() == Outcome.Reason.NOT_TOGETHER;
  }
}
