package io.braid.percolator.commit;

import io.braid.core.protocol.Refusals;
import io.braid.core.store.Durability;
import io.braid.core.store.StoreException;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.ConflictException.Cause;
import io.braid.core.transaction.ConflictException.Conflict;
import io.braid.percolator.context.PercolatorContext;
import io.braid.percolator.resolution.Decision;
import io.braid.percolator.resolution.DecisionPoints;
import io.braid.percolator.resolution.IntentResolver;
import io.braid.percolator.resolution.RowFinisher;
import io.braid.percolator.rows.Collision;
import io.braid.percolator.rows.ForeignIntent;
import io.braid.percolator.rows.PercolatorAnswer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The steps that the ways to commit share, and the parts of the process that they need. */
final class CommitSteps {
  private static final Logger LOG = LoggerFactory.getLogger(CommitSteps.class);

  final PercolatorContext around;
  final DecisionPoints points;
  final RowFinisher finisher;
  final FinishDuty finish;
  final HeartbeatDuty heartbeat;
  private final IntentResolver resolver;

  CommitSteps(
      PercolatorContext around,
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
  @Nullable Decision decideOwn(PlanWithPrimary plan) {
    return around.storeRetries().firstAnswer(() -> tryToDecide(plan));
  }

  private @Nullable Decision tryToDecide(PlanWithPrimary plan) {
    try {
      return points.decide(plan.primary(), plan.start());
    } catch (StoreException e) {
      LOG.debug("The transaction begun at {} could not be decided.", plan.start(), e);
      return null;
    }
  }

  /**
   * How a commit ended after a failure.
   *
   * @param decision as {@link #decideOwn} returned it
   * @return the commit timestamp; 0 if the transaction never commits
   * @throws CommitOutcomeUnknownException if it may have committed, or may yet
   */
  static long ended(PlanWithPrimary plan, LateCalls late, @Nullable Decision decision) {
    if (decision == null && late.mayCommit()) {
      throw new CommitOutcomeUnknownException(plan.id(), late.detail());
    }
    return decision == null ? 0 : decision.commit();
  }

  /** Returns the error for an answer that refuses to go on. */
  RuntimeException refusal(PlanWithPrimary plan, PercolatorAnswer answer) {
    if (answer instanceof PercolatorAnswer.Colliding colliding) {
      return conflict(colliding.collisions());
    }
    if (answer instanceof PercolatorAnswer.Refused refused) {
      return Refusals.of(
          refused.refusal(),
          plan.start(),
          around.tables(),
          stale ->
              plan.cellsOf(stale.table()).stream()
                  .map(
                      cell ->
                          new Conflict(cell.row(), cell.column(), Cause.NEW_EPOCH, stale.current()))
                  .toList());
    }
    return rolledBack(plan);
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
  static ConflictException rolledBack(PlanWithPrimary plan) {
    return new ConflictException(
        List.of(
            new Conflict(
                plan.primary().row(), plan.primary().column(), Cause.ROLLED_BACK, plan.start())));
  }
}
