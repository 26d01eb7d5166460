package io.braid.percolator.rows;

import io.braid.core.cells.CommitRecords;
import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.Intent;
import io.braid.core.cells.RowIntents;
import io.braid.core.cells.RowIntents.OwnIntent;
import io.braid.core.cells.RowMutation;
import io.braid.core.cells.WriteGuard;
import io.braid.core.cells.WriteGuard.Refusal;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.RowAccess;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The intents of a row, and the reasons against writing the row, as Percolator's procedures answer.
 */
final class RowGuard {
  private final RowAccess rows;
  private final Row row;
  private final RowIntents intents;

  private RowGuard(RowAccess rows, Row row) {
    this.rows = rows;
    this.row = row;
    this.intents = RowIntents.of(rows, row);
  }

  static RowGuard of(RowAccess rows, Row row) {
    return new RowGuard(rows, row);
  }

  /** Returns null if this mutation may be written to the row. */
  PercolatorAnswer.@Nullable Refused guardIntents(RowMutation mutation) {
    return refused(intents.guardIntents(mutation));
  }

  PercolatorAnswer.@Nullable Refused guard(RowMutation mutation) {
    return refused(intents.guard(mutation));
  }

  /** Returns null if a caller that knows this epoch may complete the intents in the row. */
  PercolatorAnswer.@Nullable Refused guardEpoch(long epoch) {
    return refused(intents.guardEpoch(epoch));
  }

  /**
   * Returns null if a transaction that has left nothing in the row yet may still begin to write.
   */
  PercolatorAnswer.@Nullable Refused guardStart(long start) {
    return refused(WriteGuard.checkStart(rows, row, start));
  }

  private static PercolatorAnswer.@Nullable Refused refused(@Nullable Refusal refusal) {
    return refusal == null ? null : new PercolatorAnswer.Refused(refusal);
  }

  /** Removes the rollback marks of transactions begun below a horizon. */
  void removeMarks(long horizon) {
    intents.removeMarks(horizon);
  }

  /** Returns the transaction's intent or mark on a column, or null if there is neither. */
  @Nullable Intent of(ColumnName column, long start) {
    return intents.of(column, start);
  }

  /** Returns the transaction's intent on a column, or the mark that refuses it, or null. */
  @Nullable Intent of(ColumnName column, long start, PrimaryCell primary) {
    return intents.of(column, start, primary);
  }

  /** Returns the newest undecided intent of another transaction on a column, or null. */
  private @Nullable ForeignIntent foreign(ColumnName column, long start) {
    RowIntents.ForeignIntent foreign = intents.foreign(column, start);
    return foreign == null ? null : ForeignIntent.of(column, foreign.start(), foreign.intent());
  }

  /**
   * Adds the collisions of a column that a transaction is to write; answers Committed if it is
   * itself committed there.
   */
  @Nullable PercolatorAnswer collide(ColumnName column, long start, List<Collision> collisions) {
    // Abort on writes after our start timestamp ...
    long newer = CommitRecords.newerThan(rows, row, column, start);
    if (newer != 0) {
      long ours = CommitRecords.committedAt(rows, row, column, start);
      if (ours != 0) {
        return new PercolatorAnswer.Committed(ours);
      }
      collisions.add(Collision.newer(row, column, newer));
      return null;
    }
    // ... or locks at any timestamp.
    ForeignIntent foreign = foreign(column, start);
    if (foreign != null) {
      collisions.add(Collision.locked(row, foreign));
    }
    return null;
  }

  /** Returns all undecided intents of one transaction. */
  List<OwnIntent> own(long start) {
    return intents.own(start);
  }
}
