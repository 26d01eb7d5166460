package io.braid.omid;

import io.braid.core.data.Bytes;
import io.braid.core.protocol.Backoff;
import io.braid.core.store.Outcome;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.ConflictException.Cause;
import io.braid.core.transaction.ConflictException.Conflict;
import io.braid.core.transaction.TransactionInterruptedException;
import io.braid.omid.rows.Answer;
import io.braid.omid.rows.OnePhaseCommit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The commit of a transaction whose rows one procedure reaches ({@link OnePhaseCommit}). If
 * tentative cells of others are in the way, or the tablet clock is exhausted, the transaction
 * commits the regular way.
 *
 * <p>There is no trace of such a commit on its way, and stores resend. So a call that was sent may
 * still find its way clear later. Then no failure is reported, of this way or of the regular one,
 * before {@link OnePhaseEnd} has found the commit or has refused the call for ever. During the
 * regular way, the tentative cells of the transaction refuse the call, or the call was first and
 * they find its records.
 */
final class OnePhase {
  private static final int CLOCK_ATTEMPTS = 4;

  // The result of an attempt that has to be continued the regular way.
  private static final long REGULAR = 0;

  private final Surroundings around;
  private final CommitPlan plan;
  // Why a call may have committed, or may yet; empty when no call may.
  private String late = "";

  OnePhase(Surroundings around, CommitPlan plan) {
    this.around = around;
    this.plan = plan;
  }

  /** Whether one procedure is to commit the transaction. */
  static boolean takes(Surroundings around, CommitPlan plan) {
    return around.options().onePhase()
        && (plan.mutations().size() == 1 || around.store().together(plan.keys()));
  }

  /**
   * Commits and returns the commit timestamp.
   *
   * @param regular commits the regular way
   */
  long commit(LongSupplier regular) {
    try {
      long commit = send();
      return commit != REGULAR ? commit : regular.getAsLong();
    } catch (CommitOutcomeUnknownException unknown) {
      throw unknown;
    } catch (RuntimeException failure) {
      if (late.isEmpty()) {
        throw failure;
      }
      return end(failure);
    }
  }

  private long send() {
    Bytes entry = plan.notifies() ? plan.decision().key() : Bytes.EMPTY;
    OnePhaseCommit.Request request =
        new OnePhaseCommit.Request(plan.mutations(), plan.start(), entry);
    Backoff backoff = around.storeBackoff();
    int failures = 0;
    int clocks = 0;
    while (true) {
      if (Backoff.interrupted()) {
        throw new TransactionInterruptedException(plan.start());
      }
      Outcome<Answer> outcome =
          around.trips().execute(OnePhaseCommit.INSTANCE, request, around.atCommit());
      if (outcome instanceof Outcome.Done<Answer> done) {
        Answer answer = done.result();
        if (answer instanceof Answer.Committed committed) {
          return committed.commit();
        }
        note(answer);
        if (!(answer instanceof Answer.Exhausted)) {
          return goesOn(answer);
        }
        if (clocks++ == CLOCK_ATTEMPTS) {
          return REGULAR;
        }
        around.store().advanceClock(around.oracle()::next);
      } else if (isNotTogether(outcome)) {
        return REGULAR;
      } else {
        late = outcome instanceof Outcome.Unknown<Answer> ? outcome.toString() : late;
        if (!CommitSteps.worthRetrying(outcome)
            || ++failures == around.storeAttempts()
            || !backoff.pause()) {
          throw plan.notCommitted(outcome);
        }
      }
    }
  }

  /** Records the consequence of an answer other than a commit for other calls. */
  private void note(Answer answer) {
    if (answer instanceof Answer.Ended || collidesForGood(answer)) {
      // No call has committed before it, and none will after it.
      late = "";
    } else if (around.store().resends() && !refusesForGood(answer)) {
      late = answer.toString();
    }
  }

  /** Whether a newer commit exists. Before it is collected, the watermark rises above the start. */
  private static boolean collidesForGood(Answer answer) {
    return answer instanceof Answer.Colliding colliding
        && !colliding.collisions().stream().allMatch(Answer.Collision::tentative);
  }

  /** Whether no call will commit after this answer; one may have committed before. */
  private static boolean refusesForGood(Answer answer) {
    return answer instanceof Answer.Refused refused && refused.refusal().lasts();
  }

  /** Returns {@link #REGULAR} if only tentative cells of others are in the way. */
  private long goesOn(Answer answer) {
    if (answer instanceof Answer.Colliding colliding) {
      if (!collidesForGood(answer)) {
        return REGULAR;
      }
      List<Conflict> conflicts = new ArrayList<>(colliding.collisions().size());
      colliding.collisions().forEach(each -> conflicts.add(CommitSteps.conflict(each)));
      throw new ConflictException(conflicts);
    }
    if (answer instanceof Answer.Refused refused) {
      throw plan.refused(refused.refusal(), around.tables());
    }
    throw new ConflictException(plan.conflicts("", Cause.ROLLED_BACK, plan.start()));
  }

  /** Throws the failure, unless a call has committed. */
  private long end(RuntimeException failure) {
    Backoff backoff = around.storeBackoff();
    for (int attempt = 1; ; attempt++) {
      Outcome<Answer> outcome = OnePhaseEnd.ask(around, plan.start(), plan.decision());
      if (outcome instanceof Outcome.Done<Answer> done) {
        if (done.result() instanceof Answer.Committed committed) {
          return committed.commit();
        }
        if (done.result() instanceof Answer.Ended) {
          throw failure;
        }
        throw new CommitOutcomeUnknownException(plan.id(), late);
      }
      if (attempt == around.storeAttempts() || !backoff.pause()) {
        throw new CommitOutcomeUnknownException(plan.id(), late);
      }
    }
  }

  private static boolean isNotTogether(Outcome<Answer> outcome) {
    return outcome instanceof Outcome.NotExecuted<Answer> not
        && not.reason() == Outcome.Reason.NOT_TOGETHER;
  }
}
