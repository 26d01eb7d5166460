package io.braid;

import io.braid.batch.JobException;
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
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableWalk;
import io.braid.core.store.TabletUnavailableException;
import java.time.Duration;

/**
 * Sees to it that no intent is left in a table of transactions that began before a timestamp. After
 * a new epoch of the table none comes any more. Those that stand are not waited for, however long
 * they stay open: their transactions are refused by the epoch anyway, and whoever has to wait for
 * the change must not be who it waits for.
 */
final class OldIntents {
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** How long owners are left to decide for themselves. */
  private static final Duration LEAVE = Duration.ofSeconds(1);

  private final CellStore store;
  private final BoundTransactions transactions;
  private final Seams seams;

  OldIntents(CellStore store, BoundTransactions transactions, Seams seams) {
    this.store = store;
    this.transactions = transactions;
    this.seams = seams;
  }

  /**
   * Ends them.
   *
   * @throws TabletUnavailableException when the store does not let it for two minutes
   * @throws JobException when an atomic load into the table is open
   */
  void end(String table, long before) {
    long begun = seams.nanoTime();
    while (stands(table, before)) {
      TableHolders.requireNoLoad(store, table);
      if (seams.nanoTime() - begun > PATIENCE.toNanos()) {
        throw new TabletUnavailableException(
            "What transactions begun before the change have left in table "
                + table
                + " cannot be removed now. Do the same again to go on.");
      }
      transactions.settle(table, before);
      seams.sleep(PAUSE);
    }
  }

  /**
   * Waits, in all tables, until what was committed at or below a timestamp stands as commit records
   * and nothing else begun by then is undecided. Every tablet has passed the timestamp then: what
   * commits later commits above it. New epochs are not needed for that: of transactions that write
   * their first intent only now the commit timestamp is yet to be drawn.
   *
   * @throws TabletUnavailableException when it takes too long
   */
  void awaitAll(long timestamp) {
    long begun = seams.nanoTime();
    TableWalk.each(store, schema -> await(schema, timestamp, begun));
  }

  private void await(TableSchema schema, long timestamp, long begun) {
    while (schema.has(Families.INTENT) && stands(schema.name(), timestamp, timestamp)) {
      long waited = seams.nanoTime() - begun;
      if (waited > PATIENCE.toNanos()) {
        throw new TabletUnavailableException(
            "A transaction begun two minutes ago is still undecided in table "
                + schema.name()
                + ": do the same again when it has ended.");
      }
      if (waited > LEAVE.toNanos()) {
        transactions.settleOmid(schema.name());
        transactions.percolator().sweepNow();
      }
      seams.sleep(PAUSE);
    }
  }

  private boolean stands(String table, long before) {
    return stands(table, before, 0);
  }

  /**
   * @param snapshot what all tablets pass first; 0 for none
   */
  private boolean stands(String table, long before, long snapshot) {
    ScanRequest request =
        ScanRequest.of(table, KeyRange.ALL, Selection.family(Families.INTENT).upTo(before))
            .at(snapshot);
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
