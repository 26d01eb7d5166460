package io.braid.omid;

import io.braid.core.data.Bytes;
import io.braid.core.protocol.Backoff;
import io.braid.core.protocol.CommitFailures;
import io.braid.core.store.Outcome;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.ConflictException.Cause;
import io.braid.core.transaction.ConflictException.Conflict;
import io.braid.omid.rows.CommitWithoutManager;
import io.braid.omid.rows.OmidAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The commit of a transaction whose rows one procedure reaches ({@link CommitWithoutManager}). If
 * tentative cells of others are in the way, or the tablet clock is exhausted, the transaction
 * commits the regular way.
 *
 * <p>There is no trace of such a commit on its way, and stores resend. So a call that was sent may
 * still find its way clear later. Then no failure is reported, of this way or of the regular one,
 * before {@link OnePhaseEnd} has found the commit or has refused the call for ever. During the
 * regular way, the tentative cells of the transaction refuse the call, or the call was first and
 * they find its records.
 */
final class OnePhaseOrRegular {
  private static final int CLOCK_ATTEMPTS = 4;

  // The result of an attempt that has to be continued the regular way.
  private static final long REGULAR = 0;

  private final ProtocolContext around;
  private final PlanWithEntry plan;
  // Why a call may have committed, or may yet; empty when no call may.
  private String late = "";

  OnePhaseOrRegular(ProtocolContext around, PlanWithEntry plan) {
    this.around = around;
    this.plan = plan;
  }

  /** Whether one procedure is to commit the transaction. */
  static boolean takes(ProtocolContext around, PlanWithEntry plan) {
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
    CommitWithoutManager.Request request =
        new CommitWithoutManager.Request(plan.mutations(), plan.start(), entry);
    Backoff backoff = around.storeBackoff();
    int failures = 0;
    int clocks = 0;
    while (true) {
      CommitFailures.stopIfInterrupted(plan.start());
      Outcome<OmidAnswer> outcome =
          around.trips().execute(CommitWithoutManager.INSTANCE, request, around.atCommit());
      if (outcome instanceof Outcome.Done<OmidAnswer> done) {
        OmidAnswer answer = done.result();
        if (answer instanceof OmidAnswer.Committed committed) {
          return committed.commit();
        }
        note(answer);
        if (!(answer instanceof OmidAnswer.Exhausted)) {
          return goesOn(answer);
        }
        if (clocks++ == CLOCK_ATTEMPTS) {
          return REGULAR;
        }
        around.store().advanceClock(around.oracle()::next);
      } else if (CommitFailures.isNotTogether(outcome)) {
        return REGULAR;
      } else {
        late = outcome instanceof Outcome.Unknown<OmidAnswer> ? outcome.toString() : late;
        if (!CommitFailures.worthRetrying(outcome)
            || ++failures == around.storeAttempts()
            || !backoff.pause()) {
          throw CommitFailures.notCommitted(plan.start(), outcome);
        }
      }
    }
  }

  /** Records the consequence of an answer other than a commit for other calls. */
  private void note(OmidAnswer answer) {
    if (answer instanceof OmidAnswer.Ended || collidesForGood(answer)) {
      // No call has committed before it, and none will after it.
      late = "";
    } else if (around.store().resends() && !refusesForGood(answer)) {
      late = answer.toString();
    }
  }

  /** Whether a newer commit exists. Before it is collected, the watermark rises above the start. */
  private static boolean collidesForGood(OmidAnswer answer) {
    return answer instanceof OmidAnswer.Colliding colliding
        && !colliding.collisions().stream().allMatch(OmidAnswer.Collision::tentative);
  }

  /** Whether no call will commit after this answer; one may have committed before. */
  private static boolean refusesForGood(OmidAnswer answer) {
    return answer instanceof OmidAnswer.Refused refused && refused.refusal().lasts();
  }

  /** Returns {@link #REGULAR} if only tentative cells of others are in the way. */
  private long goesOn(OmidAnswer answer) {
    if (answer instanceof OmidAnswer.Colliding colliding) {
      if (!collidesForGood(answer)) {
        return REGULAR;
      }
      List<Conflict> conflicts = new ArrayList<>(colliding.collisions().size());
      colliding.collisions().forEach(each -> conflicts.add(RegularCommit.conflict(each)));
      throw new ConflictException(conflicts);
    }
    if (answer instanceof OmidAnswer.Refused refused) {
      throw plan.refused(refused.refusal(), around.tables());
    }
    throw new ConflictException(plan.conflicts("", Cause.ROLLED_BACK, plan.start()));
  }

  /** Throws the failure, unless a call has committed. */
  private long end(RuntimeException failure) {
    Backoff backoff = around.storeBackoff();
    for (int attempt = 1; ; attempt++) {
      Outcome<OmidAnswer> outcome = OnePhaseEnd.ask(around, plan.start(), plan.decision());
      if (outcome instanceof Outcome.Done<OmidAnswer> done) {
        if (done.result() instanceof OmidAnswer.Committed committed) {
          return committed.commit();
        }
        if (done.result() instanceof OmidAnswer.Ended) {
          throw failure;
        }
        throw new CommitOutcomeUnknownException(plan.id(), late);
      }
      if (attempt == around.storeAttempts() || !backoff.pause()) {
        throw new CommitOutcomeUnknownException(plan.id(), late);
      }
    }
  }
}
