package io.braid.percolator;

import io.braid.core.store.Outcome;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.TransactionInterruptedException;
import io.braid.percolator.rows.Answer;
import io.braid.percolator.rows.OnePhaseCommit;

/**
 * The commit of a transaction whose rows one procedure reaches.
 *
 * <p>There is no lock to show that such a commit is on its way. So once an answer was lost, the
 * transaction is in doubt until its primary is asked: that either finds the commit, or leaves a
 * mark there that refuses the call should it still arrive. Whatever is reported after a lost answer
 * is reported after that.
 */
final class OnePhase {
  /** The answer of {@link #commit} when the rows have to be committed in two phases. */
  static final long NOT_TOGETHER = 0;

  private static final int CLEARINGS = 4;
  private static final int CLOCK_ATTEMPTS = 4;

  private final Committer tools;
  private final CommitPlan plan;

  /** The last answer that was lost; empty when none was. */
  private String lost = "";

  OnePhase(Committer tools, CommitPlan plan) {
    this.tools = tools;
    this.plan = plan;
  }

  /** The commit timestamp, or {@link #NOT_TOGETHER} when nothing was done and nothing will be. */
  long commit() {
    RuntimeException failure;
    try {
      long commit = send();
      if (commit != NOT_TOGETHER || lost.isEmpty()) {
        return commit;
      }
      // With a call on its way the start timestamp cannot be used for anything else.
      failure = Committer.rolledBack(plan);
    } catch (RuntimeException e) {
      failure = e;
    }
    return lost.isEmpty() ? fail(failure) : decide(failure);
  }

  private long send() {
    OnePhaseCommit.Request request =
        new OnePhaseCommit.Request(plan.mutations(), plan.start(), plan.primary());
    Backoff backoff = tools.around.storeBackoff();
    int failures = 0;
    int clearings = 0;
    int clocks = 0;
    while (true) {
      if (Backoff.interrupted()) {
        throw new TransactionInterruptedException(plan.start());
      }
      Outcome<Answer> outcome =
          tools.around.trips().execute(OnePhaseCommit.INSTANCE, request, tools.atCommit());
      if (outcome instanceof Outcome.Done<Answer> done) {
        Answer answer = done.result();
        if (answer instanceof Answer.Committed committed) {
          return committed.commit();
        } else if (answer instanceof Answer.Exhausted) {
          if (clocks++ == CLOCK_ATTEMPTS) {
            return NOT_TOGETHER;
          }
          tools.around.store().advanceClock(tools.around.oracle().next());
        } else if (!(answer instanceof Answer.Colliding colliding)
            || clearings++ == CLEARINGS
            || !tools.clearTheWay(colliding.collisions())) {
          throw refusal(answer);
        }
      } else if (isNotTogether(outcome)) {
        return NOT_TOGETHER;
      } else {
        if (outcome instanceof Outcome.Unknown<Answer>) {
          lost = outcome.toString();
        }
        if (!Committer.worthRetrying(outcome)
            || ++failures == tools.around.storeAttempts()
            || !backoff.pause()) {
          throw tools.notCommitted(plan, outcome);
        }
      }
    }
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

  /** Finds out whether a call whose answer was lost has committed; else none will. */
  private long decide(RuntimeException failure) {
    Decision decision = tools.decideOwn(plan);
    if (decision == null) {
      throw new CommitOutcomeUnknownException(plan.id(), lost);
    }
    return decision.isCommitted() ? decision.commit() : fail(failure);
  }

  private static long fail(RuntimeException failure) {
    throw failure;
  }

  private static boolean isNotTogether(Outcome<Answer> outcome) {
    return outcome instanceof Outcome.NotExecuted<Answer> not
        && not.reason() == Outcome.Reason.NOT_TOGETHER;
  }
}
