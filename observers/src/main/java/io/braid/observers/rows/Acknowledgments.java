package io.braid.observers.rows;

import io.braid.core.cells.CommitRecord;
import io.braid.core.cells.DecisionPoint.LoadRecord;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.RowAccess;
import java.util.List;

/** Reads the progress of a strong observer from the cells of a row. */
final class Acknowledgments {
  private static final int PAGE = 8;

  private Acknowledgments() {}

  /** Whether a committed run of the observer saw the newest committed change of the column. */
  static boolean isUpToDate(RowAccess rows, Row row, ColumnName column, String observer) {
    return newestChange(rows, row, column) <= seen(rows, row, column, observer);
  }

  /**
   * Returns whether a committed run of the observer saw all changes up to this timestamp, or the
   * newest change. A run's own writes are above the changes that it saw.
   */
  static boolean covers(RowAccess rows, Row row, ColumnName column, String observer, long upTo) {
    return seen(rows, row, column, observer) >= upTo || isUpToDate(rows, row, column, observer);
  }

  /** When the last committed run of the observer began; 0 without any. */
  private static long seen(RowAccess rows, Row row, ColumnName column, String observer) {
    Cell acknowledgment =
        rows.newest(row, Families.acknowledgment(observer, column), Long.MAX_VALUE);
    return acknowledgment == null ? 0 : CommitRecord.read(row, acknowledgment).start();
  }

  /** The newest commit record that is not merely a lock; 0 without any. */
  private static long newestChange(RowAccess rows, Row row, ColumnName column) {
    long below = Long.MAX_VALUE;
    while (true) {
      List<Cell> page = rows.versions(row, column, 0, below, PAGE);
      for (Cell cell : page) {
        if (CommitRecord.read(row, cell).kind() != CommitRecord.Kind.LOCK) {
          return cell.version();
        }
      }
      if (page.size() < PAGE) {
        return 0;
      }
      below = page.get(PAGE - 1).version() - 1;
    }
  }

  /** Whether a transaction that is not decided yet writes the column. */
  static boolean isBeingWritten(List<Cell> intents, ColumnName column) {
    ColumnName wanted = Families.intent(column);
    for (Cell cell : intents) {
      if (cell.column().equals(wanted) && isOfTransaction(Intent.decode(cell.value()))) {
        return true;
      }
    }
    return false;
  }

  /** Loads notify when they settle a row, however long that takes. */
  private static boolean isOfTransaction(Intent intent) {
    return intent.undecided() && !(intent.decision() instanceof LoadRecord);
  }
}
