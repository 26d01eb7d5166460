package io.braid.percolator.rows;

import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.cells.WriteGuard;
import io.braid.core.cells.WriteGuard.Refusal;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.RowAccess;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The intents of a row, read once at the begin of a procedure. Mostly there are none. */
final class RowIntents {
  private final RowAccess rows;
  private final Row row;
  private final List<Cell> cells;

  private RowIntents(RowAccess rows, Row row) {
    this.rows = rows;
    this.row = row;
    this.cells = rows.family(row, Families.INTENT, Bytes.EMPTY);
  }

  static RowIntents of(RowAccess rows, Row row) {
    return new RowIntents(rows, row);
  }

  /** Null when the row may be written by a transaction that knows this epoch. */
  Answer.@Nullable Refused guard(long epoch) {
    Refusal refusal = WriteGuard.check(rows, row, epoch, cells);
    return refusal == null ? null : new Answer.Refused(refusal);
  }

  /** Null when a transaction that has left nothing in the row yet may still begin to write. */
  Answer.@Nullable Refused guardStart(long start) {
    Refusal refusal = WriteGuard.checkStart(rows, start);
    return refusal == null ? null : new Answer.Refused(refusal);
  }

  /** Removes the rollback marks of transactions begun below a horizon. */
  void removeMarks(long horizon) {
    for (Cell cell : cells) {
      if (cell.version() < horizon
          && Intent.decode(cell.value()).kind() == Intent.Kind.ROLLED_BACK) {
        rows.delete(row, cell.column(), cell.version());
      }
    }
  }

  /** The transaction's intent or mark on a column; null when there is neither. */
  @Nullable Intent of(ColumnName column, long start) {
    if (cells.isEmpty()) {
      return null;
    }
    ColumnName at = Families.intent(column);
    for (Cell cell : cells) {
      if (cell.version() == start && cell.column().equals(at)) {
        return Intent.decode(cell.value());
      }
    }
    return null;
  }

  /** The undecided intent of another transaction on a column, the newest; null when none. */
  @Nullable ForeignIntent foreign(ColumnName column, long start) {
    if (cells.isEmpty()) {
      return null;
    }
    ColumnName at = Families.intent(column);
    for (Cell cell : cells) {
      if (cell.version() != start && cell.column().equals(at)) {
        Intent intent = Intent.decode(cell.value());
        if (intent.undecided()) {
          return ForeignIntent.of(column, cell.version(), intent);
        }
      }
    }
    return null;
  }

  /** All undecided intents of one transaction. */
  List<Own> own(long start) {
    List<Own> own = new ArrayList<>();
    for (Cell cell : cells) {
      if (cell.version() == start && !cell.column().qualifier().isEmpty()) {
        Intent intent = Intent.decode(cell.value());
        if (intent.undecided()) {
          own.add(new Own(Families.column(cell.column().qualifier()), intent));
        }
      }
    }
    return own;
  }

  /** An intent of the transaction in question, and the column of the user that it is on. */
  record Own(ColumnName column, Intent intent) {}
}
