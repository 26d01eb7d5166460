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

/**
 * The intents of a row, and the reasons against writing the row, as Percolator's procedures answer.
 */
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

  /** Returns null if this mutation may be written to the row. */
  Answer.@Nullable Refused guardIntents(RowMutation mutation) {
    return refused(intents.guardIntents(mutation));
  }

  Answer.@Nullable Refused guard(RowMutation mutation) {
    return refused(intents.guard(mutation));
  }

  /** Returns null if a caller that knows this epoch may complete the intents in the row. */
  Answer.@Nullable Refused guardEpoch(long epoch) {
    return refused(intents.guardEpoch(epoch));
  }

  /**
   * Returns null if a transaction that has left nothing in the row yet may still begin to write.
   */
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

  /** Returns the transaction's intent or mark on a column, or null if there is neither. */
  @Nullable Intent of(ColumnName column, long start) {
    return intents.of(column, start);
  }

  /** Returns the transaction's intent on a column, or the mark that refuses it, or null. */
  @Nullable Intent of(ColumnName column, long start, PrimaryCell primary) {
    return intents.of(column, start, primary);
  }

  /** Returns the newest undecided intent of another transaction on a column, or null. */
  @Nullable ForeignIntent foreign(ColumnName column, long start) {
    RowIntents.Foreign foreign = intents.foreign(column, start);
    return foreign == null ? null : ForeignIntent.of(column, foreign.start(), foreign.intent());
  }

  /** Returns all undecided intents of one transaction. */
  List<Own> own(long start) {
    return intents.own(start);
  }
}
