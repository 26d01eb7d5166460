package io.braid.changes.feed;

import io.braid.core.data.Cell;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowWrite;
import io.braid.core.store.RowWrite.Removal;
import io.braid.core.store.TabletUnavailableException;
import java.util.List;

/** Writes of a change log. Required writes must succeed; all others are repeated later. */
final class LogWrites {
  private LogWrites() {}

  static void put(CellStore store, Row row, Cell cell) {
    putAll(store, List.of(RowWrite.put(row, cell)));
  }

  /**
   * Writes durably.
   *
   * @throws TabletUnavailableException when something may be missing
   */
  static void putAll(CellStore store, List<RowWrite> writes) {
    for (Outcome<Void> outcome : store.write(writes, Durability.SYNCED)) {
      if (!(outcome instanceof Outcome.Done<Void>)) {
        throw new TabletUnavailableException(
            "A change log was not written; the next round tries again. " + outcome);
      }
    }
  }

  static void remove(CellStore store, Row row, List<Cell> cells) {
    if (!cells.isEmpty()) {
      removeAll(store, List.of(removal(row, cells)));
    }
  }

  static RowWrite removal(Row row, List<Cell> cells) {
    return new RowWrite(
        row,
        List.of(),
        cells.stream().map(each -> new Removal(each.column(), each.version())).toList());
  }

  /** Removes rows; rows that stay are removed another time. */
  static void removeAll(CellStore store, List<RowWrite> removals) {
    store.write(removals, Durability.BUFFERED);
  }
}
