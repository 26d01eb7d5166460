package io.braid;

import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.data.Cell;
import io.braid.core.data.KeyRange;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TabletUnavailableException;
import java.time.Duration;

/**
 * Waits until no intent is left in a table of transactions that began before a timestamp. After a
 * new epoch of the table none comes any more: those that stand are decided soon, by their owners
 * or, if these are dead, by others.
 */
final class OldIntents {
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final CellStore store;
  private final BoundTransactions transactions;
  private final Seams seams;

  OldIntents(CellStore store, BoundTransactions transactions, Seams seams) {
    this.store = store;
    this.transactions = transactions;
    this.seams = seams;
  }

  /**
   * Waits.
   *
   * @throws TabletUnavailableException when it takes too long
   */
  void await(String table, long before) {
    long begun = seams.nanoTime();
    while (stands(table, before)) {
      if (seams.nanoTime() - begun > PATIENCE.toNanos()) {
        throw new TabletUnavailableException(
            "Transactions begun before the change, or an atomic load ('braid job list'), are still"
                + " undecided in table "
                + table
                + ". Do the same again to go on.");
      }
      transactions.settle(table);
      seams.sleep(PAUSE);
    }
  }

  private boolean stands(String table, long before) {
    ScanRequest request =
        ScanRequest.of(table, KeyRange.ALL, Selection.family(Families.INTENT).upTo(before));
    try (RowScanner scanner = store.scan(request)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        for (Cell cell : row.cells()) {
          if (!cell.column().qualifier().isEmpty() && Intent.decode(cell.value()).undecided()) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
