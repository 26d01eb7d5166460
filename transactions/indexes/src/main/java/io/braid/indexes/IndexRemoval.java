package io.braid.indexes;

import io.braid.core.cells.Families;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.RowWrite.Removal;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TabletUnavailableException;
import io.braid.indexes.IndexEntry.State;
import io.braid.indexes.IndexRows.Part;
import java.util.ArrayList;
import java.util.List;

/**
 * Removes an index. The removal is recorded first: any process that finds the record may continue.
 */
final class IndexRemoval {
  private static final int BATCH = 500;

  private final CellStore store;
  private final IndexRegistry registry;
  private final IndexPins pins;
  private final IndexedTables tables;

  IndexRemoval(CellStore store, IndexRegistry registry, IndexPins pins, IndexedTables tables) {
    this.store = store;
    this.registry = registry;
    this.pins = pins;
    this.tables = tables;
  }

  /**
   * Removes an index; false when there is no such index. The caller holds the lock of the table.
   */
  boolean run(String name) {
    registry.lookAgain();
    IndexEntry entry = registry.entry(name).orElse(null);
    if (entry == null) {
      return false;
    }
    String table = entry.index().table();
    boolean there = store.table(table).isPresent();
    if (entry.index().isLocal() && there) {
      // Before anything is done: the fence would refuse the removal in the middle.
      tables.requireNoLoad(table);
    }
    begin(name);
    // Transactions that still write its rows are refused, and run again without.
    if (entry.index().isLocal()) {
      if (there) {
        tables.fence(table);
        entry.rows().parts().forEach(this::clear);
        entry.otherRows().parts().forEach(this::clear);
      }
    } else {
      if (there) {
        store.raiseEpoch(table, store.epoch(table) + 1);
        tables.learn(table);
      }
      tables.removeTable(name);
    }
    registry.remove(name);
    // Pins of a process that stalled, and began again before it learned of the removal.
    pins.unpinAll(entry);
    return true;
  }

  /** Begins the removal: transactions that begin from now on neither read nor write the index. */
  void begin(String name) {
    pins.unpinAll(registry.update(name, each -> each.as(State.DROPPING)));
  }

  /** Removes all cells of a part that is no longer read or written. */
  private void clear(Part part) {
    ColumnName column = part.column().name();
    KeyRange range = KeyRange.prefix(part.prefix());
    ScanRequest request =
        ScanRequest.of(
            part.table(),
            range,
            Selection.column(column),
            Selection.column(Families.large(column)));
    List<RowWrite> batch = new ArrayList<>(BATCH);
    try (RowScanner scanner = store.scan(request)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        List<Removal> removals = new ArrayList<>(row.cells().size());
        row.cells().forEach(cell -> removals.add(new Removal(cell.column(), cell.version())));
        batch.add(new RowWrite(row.row(), List.of(), removals));
        if (batch.size() == BATCH) {
          write(batch);
          batch.clear();
        }
      }
    }
    write(batch);
    store.reclaim(part.table(), range);
  }

  private void write(List<RowWrite> batch) {
    for (Outcome<Void> outcome : store.write(batch, Durability.SYNCED)) {
      if (!(outcome instanceof Outcome.Done<Void>)) {
        throw new TabletUnavailableException(
            "An index row was not removed: " + outcome + ". Drop the index again to go on.");
      }
    }
  }
}
