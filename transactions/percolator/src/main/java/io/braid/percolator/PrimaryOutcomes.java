package io.braid.percolator;

import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.Families;
import io.braid.core.protocol.NamedCells;
import io.braid.core.store.CellStore;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.percolator.commit.HeartbeatDuty;
import io.braid.percolator.context.PercolatorContext;
import io.braid.percolator.resolution.Decision;
import io.braid.percolator.resolution.DecisionPoints;
import io.braid.percolator.rows.PercolatorAnswer;

/**
 * Answers the outcome of a transaction, for any holder of its id. Does not decide a transaction
 * that a live owner may still commit. If no trace of the transaction is found, another process may
 * just have sent its first prewrite, or a commit in one phase. The transaction gets as much time as
 * if its lock were there.
 */
final class PrimaryOutcomes {
  private static final TransactionOutcome ROLLED_BACK = new TransactionOutcome.RolledBack();
  private static final TransactionOutcome UNDECIDED = new TransactionOutcome.Undecided();
  private static final TransactionOutcome UNKNOWN = new TransactionOutcome.Unknown();

  private final CellStore store;
  private final DecisionPoints points;
  private final HeartbeatDuty heartbeat;

  PrimaryOutcomes(PercolatorContext around, DecisionPoints points, HeartbeatDuty heartbeat) {
    this.store = around.store();
    this.points = points;
    this.heartbeat = heartbeat;
  }

  /** Returns the outcome. An invented name finds nothing, and changes no transaction. */
  TransactionOutcome of(long start, PrimaryCell primary) {
    if (!isThere(primary)) {
      return UNKNOWN;
    }
    if (primary.column().family().equals(Families.NOTIFY)) {
      return NamedCells.ofNotification(store, start, primary.row(), primary.column());
    }
    PercolatorAnswer answer = points.look(primary, start);
    if (answer instanceof PercolatorAnswer.Undecided lock) {
      Decision decision = points.ask(primary, start, lock);
      return decision == null ? UNDECIDED : outcome(decision);
    }
    if (answer instanceof PercolatorAnswer.Forgotten) {
      return UNKNOWN;
    }
    if (answer instanceof PercolatorAnswer.Missing && !points.mayDecideMissing(primary, start)) {
      return UNDECIDED;
    }
    if (answer instanceof PercolatorAnswer.Missing && heartbeat.isCommitting(start)) {
      return UNDECIDED;
    }
    // No trace: a call may still be on its way, and has to find a mark.
    Decision decision = answer == null ? null : points.decide(primary, start);
    if (decision == null) {
      throw new TabletUnavailableException(
          "The primary of the transaction begun at " + start + " cannot be asked: try again.");
    }
    return outcome(decision);
  }

  private boolean isThere(PrimaryCell primary) {
    return NamedCells.mayExist(store, primary.row().table(), primary.column().family());
  }

  private static TransactionOutcome outcome(Decision decision) {
    return decision.isCommitted()
        ? new TransactionOutcome.Committed(decision.commit())
        : ROLLED_BACK;
  }
}
