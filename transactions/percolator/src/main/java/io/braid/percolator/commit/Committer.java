package io.braid.percolator.commit;

import io.braid.core.cells.RowMutation;
import io.braid.core.protocol.ChangeHints;
import io.braid.core.protocol.CommitFailures;
import io.braid.core.protocol.WeakCommit;
import io.braid.core.store.Outcome;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.ConflictException;
import io.braid.percolator.context.PercolatorContext;
import io.braid.percolator.resolution.DecisionPoints;
import io.braid.percolator.resolution.IntentResolver;
import io.braid.percolator.resolution.RowFinisher;
import io.braid.percolator.rows.NotifyWithPrimary;
import io.braid.percolator.rows.OnePhaseCommit;
import io.braid.percolator.rows.PercolatorAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Commits transactions: in one phase if the store can reach all rows at once, else in two.
 *
 * <p>The naive commit writes an <em>intent</em> (a lock and the value) to each cell, unless another
 * lock or a newer commit is in the way; draws a commit timestamp; and turns the intents into commit
 * records. A crash in the last step leaves half a commit. Percolator (OSDI 2010, section 2.2,
 * figure 6) therefore makes one cell the <em>primary</em>. The step that replaces its intent by a
 * record is the commit point. All other intents name the primary, so any process that meets one
 * asks there, and then rolls its row forward or back. {@link TwoPhase} commits in this way.
 * Invariants:
 *
 * <ol>
 *   <li>The primary alone decides. It gets either a record or a rollback, under the lock of its
 *       row, and its decision never changes.
 *   <li>The commit timestamp is drawn after all intents are acknowledged. The secondaries get their
 *       records after the primary has its own.
 *   <li>A failure is reported only if no call that was sent can still commit the transaction; else
 *       the outcome is unknown, and the error says so.
 * </ol>
 *
 * <p>Obvious shortcuts fail:
 *
 * <ul>
 *   <li><em>Drawing the commit timestamp while prewrites are under way.</em> A snapshot above that
 *       timestamp may read a row before its intent arrives. It misses the commit.
 *   <li><em>Reporting a failure when an answer is lost.</em> The call may have committed, or may
 *       arrive later. {@link LateCalls} remembers it, and {@link CommitSteps#decideOwn} asks the
 *       primary in a way that decides: from then on a rollback mark refuses a late call.
 *   <li><em>Removing the locks of an owner that looks dead.</em> It may be slow, and commit a
 *       moment later. So other processes roll back the primary first. {@link HeartbeatDuty} keeps
 *       the primary of a long commit fresh, so that they wait.
 * </ul>
 *
 * <p>Figure 6 prewrites the primary before the secondaries. {@code TwoPhase} prewrites all rows in
 * parallel, in one trip. A process that meets a secondary before the primary is there leaves a
 * rollback mark at the primary if the owner is dead or stuck, and the mark refuses the prewrite
 * that arrives later. So the order prevents nothing, and would cost a trip.
 *
 * <p>A commit in one phase writes no intents: one procedure checks all rows and writes their
 * records. Its timestamp cannot come from the oracle, because a snapshot drawn after it may read a
 * row before the procedure runs. It comes from the clock of the tablet, above all snapshots that
 * were served there (Omid, section 4.3). No lock shows that such a commit is under way, so only the
 * third invariant protects a call whose answer is lost ({@code docs/decisions/008}).
 */
public final class Committer {
  /** The answer of {@link #inOnePhase} when the rows have to be committed in two phases. */
  private static final long NOT_TOGETHER = 0;

  private static final int CLOCK_ATTEMPTS = 4;

  private final CommitSteps steps;
  private final PercolatorContext around;

  public Committer(
      PercolatorContext around,
      DecisionPoints points,
      IntentResolver resolver,
      RowFinisher finisher,
      FinishDuty finish,
      HeartbeatDuty heartbeat) {
    this.around = around;
    this.steps = new CommitSteps(around, points, resolver, finisher, finish, heartbeat);
  }

  /** Commits, then passes the changes to the sink; returns the commit timestamp. */
  public long commit(PlanWithPrimary plan, ChangeSink sink) {
    return commit(plan, null, sink);
  }

  /**
   * @param first the outcome of the first call of its commit in one phase, if that was made
   */
  public long commit(
      PlanWithPrimary plan, @Nullable Outcome<PercolatorAnswer> first, ChangeSink sink) {
    return counted(
        plan.start(),
        () -> {
          long commit = dispatch(plan, first);
          tell(plan, commit, sink);
          return commit;
        });
  }

  /** Begins to write a transaction into the store that has outgrown the memory. */
  public StreamedWrites stream(PlanWithPrimary first) {
    return new StreamedWrites(steps, first);
  }

  /**
   * Commits a transaction most of whose writes are already in the store. Remembering its changes
   * would take memory, so the sink receives them when their rows are rolled forward, in the
   * background.
   */
  public long commit(StreamedWrites streamed, PlanWithPrimary rest, ChangeSink sink) {
    return counted(
        rest.start(),
        () -> {
          long commit = streamed.commit(rest, sink);
          around.counters().twoPhase.increment();
          return commit;
        });
  }

  private long counted(long start, LongSupplier work) {
    try {
      return work.getAsLong();
    } catch (RuntimeException e) {
      if (e instanceof ConflictException) {
        around.counters().conflicts.increment();
      } else if (e instanceof CommitOutcomeUnknownException) {
        around.counters().unknown.increment();
      }
      steps.points.abandon(start);
      throw e;
    }
  }

  private long dispatch(PlanWithPrimary plan, @Nullable Outcome<PercolatorAnswer> first) {
    if (plan.onlyNotifies()) {
      return new WeakCommit<PercolatorAnswer>(
              around.storeRetries(),
              mutations -> notifyWeakly(plan, mutations),
              answer ->
                  answer instanceof PercolatorAnswer.Refused ? steps.refusal(plan, answer) : null)
          .commit(plan.id(), plan.mutations());
    }
    LateCalls late = new LateCalls(around.store().resends());
    if (first != null || goesInOnePhase(plan)) {
      long commit = inOnePhase(plan, late, first);
      if (commit != NOT_TOGETHER) {
        around.counters().onePhase.increment();
        return commit;
      }
    }
    long commit = new TwoPhase(steps, plan, late).commit();
    around.counters().twoPhase.increment();
    return commit;
  }

  /**
   * Commits a transaction whose rows one procedure reaches; returns the commit timestamp, or {@link
   * #NOT_TOGETHER}.
   *
   * <p>No lock shows that such a commit is on its way, and stores resend. A call may find its way
   * clear later: its answer was lost, or its obstacle may go (another's lock, a hold, a clock
   * without timestamps). So the call could commit at any later time. Before a failure is reported,
   * the primary is asked. The primary either finds the commit, or keeps a mark that refuses the
   * call for ever.
   *
   * @param late remembers the calls that may yet commit the transaction
   * @param first the outcome of the first call, if that was made along with others
   */
  private long inOnePhase(
      PlanWithPrimary plan, LateCalls late, @Nullable Outcome<PercolatorAnswer> first) {
    try {
      return send(plan, late, first);
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

  private long send(
      PlanWithPrimary plan, LateCalls late, @Nullable Outcome<PercolatorAnswer> first) {
    OnePhaseCommit.Request request = request(plan);
    Attempts attempts = new Attempts(steps, plan);
    int clocks = 0;
    Outcome<PercolatorAnswer> outcome = first == null ? call(request) : first;
    while (true) {
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
          around.store().advanceClock(around.oracle()::next);
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
      outcome = call(request);
    }
  }

  private Outcome<PercolatorAnswer> call(OnePhaseCommit.Request request) {
    CommitFailures.stopIfInterrupted(request.start());
    return around.trips().execute(OnePhaseCommit.INSTANCE, request, steps.atCommit());
  }

  private static OnePhaseCommit.Request request(PlanWithPrimary plan) {
    return new OnePhaseCommit.Request(plan.mutations(), plan.start(), plan.primary());
  }

  private List<Outcome<PercolatorAnswer>> notifyWeakly(
      PlanWithPrimary plan, List<RowMutation> mutations) {
    List<NotifyWithPrimary.Request> requests = new ArrayList<>(mutations.size());
    for (RowMutation mutation : mutations) {
      requests.add(new NotifyWithPrimary.Request(mutation, plan.start(), plan.primary()));
    }
    return around.trips().execute(NotifyWithPrimary.INSTANCE, requests, steps.atCommit());
  }

  /** Whether one procedure is to commit the plan. */
  public boolean goesInOnePhase(PlanWithPrimary plan) {
    return around.options().onePhase()
        && !plan.onlyNotifies()
        && (plan.mutations().size() == 1 || around.store().together(plan.rows()));
  }

  /** Makes the first calls of commits in one phase, in one trip; returns their outcomes. */
  public List<Outcome<PercolatorAnswer>> sendTogether(List<PlanWithPrimary> plans) {
    List<OnePhaseCommit.Request> requests = new ArrayList<>(plans.size());
    plans.forEach(plan -> requests.add(request(plan)));
    return around.trips().execute(OnePhaseCommit.INSTANCE, requests, steps.atCommit());
  }

  private static void tell(PlanWithPrimary plan, long commit, ChangeSink sink) {
    ChangeHints.give(
        () -> plan.forEachChange((row, column) -> sink.changed(row, column, plan.start(), commit)));
  }
}
