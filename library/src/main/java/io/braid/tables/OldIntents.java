package io.braid.tables;

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
 * Ensures that a table holds no intent of transactions that began before a timestamp. After a new
 * epoch of the table no such intent is added. Existing intents are not waited for, however long
 * they stay open: the epoch refuses their transactions anyway. A change must also not wait for a
 * transaction that waits for the change.
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
   * Waits, in all tables, until everything committed at or below a timestamp has commit records and
   * nothing else begun by then is undecided. Every tablet has passed the timestamp then, so later
   * commits are above it. New epochs are not needed: a transaction that writes its first intent
   * only now has not drawn its commit timestamp yet.
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
