package io.braid.core.cells;

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
public final class RowIntents {
  private final RowAccess rows;
  private final Row row;
  private final List<Cell> cells;

  private RowIntents(RowAccess rows, Row row) {
    this.rows = rows;
    this.row = row;
    this.cells = rows.family(row, Families.INTENT, Bytes.EMPTY);
  }

  public static RowIntents of(RowAccess rows, Row row) {
    return new RowIntents(rows, row);
  }

  /** Reads the cells of intents on some columns of a row; there may be some of others too. */
  public static List<Cell> read(RowAccess rows, Row row, List<ColumnName> columns) {
    if (!rows.mayHave(row, Families.INTENT)) {
      return List.of();
    }
    Bytes prefix = columns.size() == 1 ? Families.qualified(columns.get(0)) : Bytes.EMPTY;
    return rows.family(row, Families.INTENT, prefix);
  }

  /** Why the row may not be written so; null when it may. */
  public @Nullable Refusal guard(RowMutation mutation) {
    return mutation.changesValues()
        ? WriteGuard.check(rows, row, mutation.epoch(), mutation.pass(), cells)
        : WriteGuard.checkEpoch(rows, row, mutation.epoch());
  }

  /**
   * Returns why the row may not get these intents; null when it may. No intents are added while a
   * load is being committed that waits for intents to go: a refused transaction runs again.
   */
  public @Nullable Refusal guardIntents(RowMutation mutation) {
    Refusal refusal = guard(mutation);
    return refusal == null && rows.isClosing(row.table())
        ? new Refusal.StaleEpoch(row.table(), rows.epoch(row.table()))
        : refusal;
  }

  /**
   * Returns why a caller that knows this epoch may not complete writes that were admitted before;
   * null when it may.
   */
  public @Nullable Refusal guardEpoch(long epoch) {
    return WriteGuard.checkEpoch(rows, row, epoch);
  }

  /** Removes the rollback marks of transactions begun below a horizon. */
  public void removeMarks(long horizon) {
    for (Cell cell : cells) {
      if (cell.version() < horizon && Intent.read(row, cell).kind() == Intent.Kind.ROLLED_BACK) {
        rows.delete(row, cell.column(), cell.version());
      }
    }
  }

  /** The transaction's intent or mark on a column; null when there is neither. */
  public @Nullable Intent of(ColumnName column, long start) {
    if (cells.isEmpty()) {
      return null;
    }
    ColumnName at = Families.intent(column);
    for (Cell cell : cells) {
      if (cell.version() == start && cell.column().equals(at)) {
        return Intent.read(row, cell);
      }
    }
    return null;
  }

  /**
   * Returns the transaction's intent on a column, or the mark that keeps the transaction out; null
   * when there is neither. A mark with another decision point keeps no transaction out: a caller
   * has asked about the transaction by an id that is not its own.
   */
  public @Nullable Intent of(ColumnName column, long start, DecisionPoint decision) {
    Intent found = of(column, start);
    return found == null || found.undecided() || found.decision().equals(decision) ? found : null;
  }

  /**
   * The newest undecided intent of another transaction on a column; null when there is none. Staged
   * cells of loads do not count while the epoch of the table is the one they were staged in (see
   * {@link io.braid.core.loads}).
   */
  public @Nullable ForeignIntent foreign(ColumnName column, long start) {
    if (cells.isEmpty()) {
      return null;
    }
    ColumnName at = Families.intent(column);
    for (Cell cell : cells) {
      if (cell.version() != start && cell.column().equals(at)) {
        Intent intent = Intent.read(row, cell);
        if (intent.undecided() && !isPassed(intent)) {
          return new ForeignIntent(cell.version(), intent);
        }
      }
    }
    return null;
  }

  /** The staged cell of a load on a column that is in the way of a writer; null when none is. */
  public @Nullable ForeignIntent load(ColumnName column, long start) {
    for (Cell cell : cells) {
      if (cell.version() != start && cell.column().equals(Families.intent(column))) {
        Intent intent = Intent.read(row, cell);
        if (intent.undecided() && isOfLoad(intent) && !isPassed(intent)) {
          return new ForeignIntent(cell.version(), intent);
        }
      }
    }
    return null;
  }

  private static boolean isOfLoad(Intent intent) {
    return intent.decision() instanceof DecisionPoint.LoadRecord;
  }

  private boolean isPassed(Intent intent) {
    return isOfLoad(intent) && intent.wallMillis() == rows.epoch(row.table());
  }

  /** An intent of the transaction begun at {@code start}. */
  public record ForeignIntent(long start, Intent intent) {}

  /** All undecided intents of one transaction. */
  public List<OwnIntent> own(long start) {
    List<OwnIntent> own = new ArrayList<>();
    for (Cell cell : cells) {
      if (cell.version() == start && !cell.column().qualifier().isEmpty()) {
        Intent intent = Intent.read(row, cell);
        if (intent.undecided()) {
          own.add(new OwnIntent(Families.column(cell.column().qualifier()), intent));
        }
      }
    }
    return own;
  }

  /** An intent of the transaction in question, and the column of the user that it is on. */
  public record OwnIntent(ColumnName column, Intent intent) {}
}
