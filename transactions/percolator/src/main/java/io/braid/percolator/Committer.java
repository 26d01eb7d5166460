package io.braid.percolator;

import io.braid.core.cells.WriteGuard.Refusal;
import io.braid.core.protocol.Backoff;
import io.braid.core.protocol.Refusals;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.StoreException;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.ConflictException.Cause;
import io.braid.core.transaction.ConflictException.Conflict;
import io.braid.core.transaction.TransactionInterruptedException;
import io.braid.percolator.rows.Answer;
import io.braid.percolator.rows.Collision;
import io.braid.percolator.rows.ForeignIntent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits transactions: in one phase if the store can reach all rows at once, else in two. Holds
 * the tools that both ways need.
 */
final class Committer {
  private static final Logger LOG = LoggerFactory.getLogger(Committer.class);

  final Surroundings around;
  final DecisionPoints points;
  final IntentResolver resolver;
  final RowFinisher finisher;
  final FinishDuty finish;
  final HeartbeatDuty heartbeat;

  Committer(
      Surroundings around,
      DecisionPoints points,
      IntentResolver resolver,
      RowFinisher finisher,
      FinishDuty finish,
      HeartbeatDuty heartbeat) {
    this.around = around;
    this.points = points;
    this.resolver = resolver;
    this.finisher = finisher;
    this.finish = finish;
    this.heartbeat = heartbeat;
  }

  /** Commits, then passes the changes to the sink; returns the commit timestamp. */
  long commit(CommitPlan plan, ChangeSink sink) {
    return commit(plan, null, sink);
  }

  /**
   * @param first the outcome of the first call of its commit in one phase, if that was made
   */
  long commit(CommitPlan plan, @Nullable Outcome<Answer> first, ChangeSink sink) {
    return counted(
        plan.start(),
        () -> {
          long commit = dispatch(plan, first);
          tell(plan, commit, sink);
          return commit;
        });
  }

  /**
   * Commits a transaction most of whose writes are already in the store. Remembering its changes
   * would take memory, so the sink receives them when their rows are rolled forward, in the
   * background.
   */
  long commit(StreamedWrites streamed, CommitPlan rest, ChangeSink sink) {
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
      points.abandon(start);
      throw e;
    }
  }

  private long dispatch(CommitPlan plan, @Nullable Outcome<Answer> first) {
    if (plan.onlyNotifies()) {
      return new OnlyNotify(this, plan).commit();
    }
    LateCalls late = new LateCalls(around.store().resends());
    if (first != null || goesInOnePhase(plan)) {
      long commit = new OnePhase(this, plan, late, first).commit();
      if (commit != OnePhase.NOT_TOGETHER) {
        around.counters().onePhase.increment();
        return commit;
      }
    }
    long commit = new TwoPhase(this, plan, late).commit();
    around.counters().twoPhase.increment();
    return commit;
  }

  /** Whether one procedure is to commit the plan. */
  boolean goesInOnePhase(CommitPlan plan) {
    return around.options().onePhase()
        && !plan.onlyNotifies()
        && (plan.mutations().size() == 1 || around.store().together(plan.rows()));
  }

  private static void tell(CommitPlan plan, long commit, ChangeSink sink) {
    try {
      plan.forEachChange((row, column) -> sink.changed(row, column, plan.start(), commit));
    } catch (RuntimeException e) {
      LOG.warn("A hint to observers was lost; they will find the change by scanning.", e);
    }
  }

  /** Returns the durability of the steps before a commit point. */
  Durability beforeCommit() {
    return atCommit().ofPreceding();
  }

  /** The durability of the commit point. */
  Durability atCommit() {
    return around.options().durability();
  }

  /**
   * Tries to remove other transactions' intents that are in the way: those that are decided
   * already, and those whose owner is dead or stuck. The intents of live owners remain.
   *
   * @return whether everything that was in the way is decided
   */
  boolean clearTheWay(List<Collision> collisions) {
    List<IntentResolver.Met> met = new ArrayList<>(collisions.size());
    for (Collision collision : collisions) {
      ForeignIntent intent = collision.intent();
      if (intent == null) {
        return false;
      }
      met.add(new IntentResolver.Met(collision.row(), intent));
    }
    IntentResolver.Resolution resolution = resolver.resolve(met);
    return resolution.unfinished().isEmpty()
        && met.stream().allMatch(m -> resolution.decisions().containsKey(m.intent().start()));
  }

  /**
   * Decides a transaction of this process at its primary when an answer was lost: it has committed,
   * or never will. Tries several times; returns null when the store does not answer.
   */
  @Nullable Decision decideOwn(CommitPlan plan) {
    Backoff backoff = around.storeBackoff();
    for (int attempt = 1; ; attempt++) {
      Decision decision = tryToDecide(plan);
      if (decision != null || attempt == around.storeAttempts() || !backoff.pause()) {
        return decision;
      }
    }
  }

  private @Nullable Decision tryToDecide(CommitPlan plan) {
    try {
      return points.decide(plan.primary(), plan.start());
    } catch (StoreException e) {
      LOG.debug("The transaction begun at {} could not be decided.", plan.start(), e);
      return null;
    }
  }

  static ConflictException conflict(List<Collision> collisions) {
    List<Conflict> conflicts = new ArrayList<>(collisions.size());
    for (Collision each : collisions) {
      ForeignIntent intent = each.intent();
      conflicts.add(
          intent == null
              ? new Conflict(each.row(), each.column(), Cause.NEWER_COMMIT, each.newerCommit())
              : new Conflict(each.row(), each.column(), Cause.LOCKED, intent.start()));
    }
    return new ConflictException(conflicts);
  }

  /**
   * Returns the error for a transaction that another process rolled back: it took the owner for
   * dead, or asked for the outcome too early.
   */
  static ConflictException rolledBack(CommitPlan plan) {
    return new ConflictException(
        List.of(
            new Conflict(
                plan.primary().row(), plan.primary().column(), Cause.ROLLED_BACK, plan.start())));
  }

  RuntimeException refused(CommitPlan plan, Refusal refusal) {
    return Refusals.of(
        refusal,
        plan.start(),
        around.tables(),
        stale ->
            plan.cellsOf(stale.table()).stream()
                .map(
                    cell ->
                        new Conflict(cell.row(), cell.column(), Cause.NEW_EPOCH, stale.current()))
                .toList());
  }

  /** Returns the exception for a commit that the store did not take, or whose answer was lost. */
  RuntimeException notCommitted(CommitPlan plan, Outcome<?> last) {
    if (Backoff.interrupted()) {
      return new TransactionInterruptedException(plan.start());
    }
    String text = "The transaction did not commit: the store answered " + last + ".";
    return last instanceof Outcome.NotExecuted<?> not && not.reason() == Outcome.Reason.READ_ONLY
        ? new StoreException(text)
        : new TabletUnavailableException(text);
  }

  static boolean worthRetrying(Outcome<?> outcome) {
    return outcome instanceof Outcome.Unknown<?>
        || (outcome instanceof Outcome.NotExecuted<?> not
            && not.reason() == Outcome.Reason.UNAVAILABLE);
  }
}
