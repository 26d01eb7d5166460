package io.braid.percolator.rows;

import io.braid.core.cells.DecisionPoint.PrimaryCell;
import io.braid.core.cells.Intent;
import io.braid.core.cells.RowIntents;
import io.braid.core.cells.RowIntents.Own;
import io.braid.core.cells.RowMutation;
import io.braid.core.cells.WriteGuard;
import io.braid.core.cells.WriteGuard.Refusal;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.RowAccess;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The intents of a row, and why it may not be written, as Percolator's procedures answer it. */
final class RowLocks {
  private final RowAccess rows;
  private final Row row;
  private final RowIntents intents;

  private RowLocks(RowAccess rows, Row row) {
    this.rows = rows;
    this.row = row;
    this.intents = RowIntents.of(rows, row);
  }

  static RowLocks of(RowAccess rows, Row row) {
    return new RowLocks(rows, row);
  }

  /** Null when the row may be written so. */
  Answer.@Nullable Refused guardIntents(RowMutation mutation) {
    return refused(intents.guardIntents(mutation));
  }

  Answer.@Nullable Refused guard(RowMutation mutation) {
    return refused(intents.guard(mutation));
  }

  /** Null when what stands in the row may be completed by one who knows this epoch. */
  Answer.@Nullable Refused guardEpoch(long epoch) {
    return refused(intents.guardEpoch(epoch));
  }

  /** Null when a transaction that has left nothing in the row yet may still begin to write. */
  Answer.@Nullable Refused guardStart(long start) {
    return refused(WriteGuard.checkStart(rows, row, start));
  }

  private static Answer.@Nullable Refused refused(@Nullable Refusal refusal) {
    return refusal == null ? null : new Answer.Refused(refusal);
  }

  /** Removes the rollback marks of transactions begun below a horizon. */
  void removeMarks(long horizon) {
    intents.removeMarks(horizon);
  }

  /** The transaction's intent or mark on a column; null when there is neither. */
  @Nullable Intent of(ColumnName column, long start) {
    return intents.of(column, start);
  }

  /** The transaction's intent on a column, or the mark that keeps it out; null when neither. */
  @Nullable Intent of(ColumnName column, long start, PrimaryCell primary) {
    return intents.of(column, start, primary);
  }

  /** The undecided intent of another transaction on a column, the newest; null when none. */
  @Nullable ForeignIntent foreign(ColumnName column, long start) {
    RowIntents.Foreign foreign = intents.foreign(column, start);
    return foreign == null ? null : ForeignIntent.of(column, foreign.start(), foreign.intent());
  }

  /** All undecided intents of one transaction. */
  List<Own> own(long start) {
    return intents.own(start);
  }
}
