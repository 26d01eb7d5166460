package io.braid.core.protocol;

import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import io.braid.core.transaction.TransactionOutcome;

/**
 * The cells by which ids name transactions. An id may come from outside: the cell in it may never
 * have been written, nor its table exist.
 */
public final class NamedCells {
  private NamedCells() {}

  /** Whether the table is one of users, and has the family. */
  public static boolean mayExist(CellStore store, String table, String family) {
    return table.indexOf('~') < 0 && store.table(table).filter(has -> has.has(family)).isPresent();
  }

  /**
   * Returns the outcome of a transaction that only notifies: it is decided once it is written.
   *
   * @param notification the column of the notification that names the transaction
   */
  public static TransactionOutcome ofNotification(
      CellStore store, long start, Row row, ColumnName notification) {
    Selection version =
        new Selection(notification.family(), notification.qualifier(), start, start, 1);
    boolean there = !store.read(RowRead.of(row, version)).isEmpty();
    return there ? new TransactionOutcome.Committed(start) : new TransactionOutcome.Unknown();
  }
}
