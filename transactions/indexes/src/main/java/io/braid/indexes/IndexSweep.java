package io.braid.indexes;

import io.braid.core.cells.CommitRecord;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Column;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
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
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Snapshot;
import io.braid.indexes.IndexRows.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Removes index rows that loads have left and that point nowhere: their newest version at the low
 * watermark names a row that does not have the value at the watermark.
 *
 * <p>This condition is enough. No snapshot below the watermark is read. Above the watermark, a row
 * gets the value only by a write that writes its index row again, at a version above the watermark.
 * The version of a transaction is its commit timestamp. The version of a load is above the load's
 * start, at which a pin keeps the watermark until the load has ended. Only one version is removed,
 * so concurrent writes stay.
 */
final class IndexSweep {
  private static final int BATCH = 500;

  private final CellStore store;
  private final Snapshot now;
  private final IndexEntry entry;
  private final Column<Bytes> indexed;
  private long removed;

  /** An index row at the watermark. */
  private record FoundEntry(Row at, long version, Row row) {}

  /**
   * @param now at the low watermark
   */
  IndexSweep(CellStore store, Snapshot now, IndexEntry entry) {
    this.store = store;
    this.now = now;
    this.entry = entry;
    this.indexed = new Column<>(entry.index().column(), IndexUpdates.AS_IS);
  }

  /** The number of index rows removed. */
  long run() {
    entry.rows().parts().forEach(this::sweep);
    return removed;
  }

  private void sweep(Part part) {
    Selection newest = Selection.column(part.column().name()).upTo(now.timestamp()).newest(1);
    List<FoundEntry> batch = new ArrayList<>(BATCH);
    ScanRequest request = ScanRequest.of(part.table(), KeyRange.prefix(part.prefix()), newest);
    try (RowScanner scanner = store.scan(request)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        for (Cell cell : row.cells()) {
          CommitRecord record = CommitRecord.read(row.row(), cell);
          if (record.kind() == CommitRecord.Kind.PUT) {
            Row named = Row.of(entry.index().table(), record.value());
            batch.add(new FoundEntry(row.row(), cell.version(), named));
          }
        }
        if (batch.size() >= BATCH) {
          remove(part, batch);
        }
      }
    }
    remove(part, batch);
  }

  private void remove(Part part, List<FoundEntry> batch) {
    Map<Row, RowValues> rows =
        now.getAll(batch.stream().map(FoundEntry::row).toList(), List.of(indexed));
    List<RowWrite> removals = new ArrayList<>();
    for (FoundEntry each : batch) {
      Optional<Bytes> value =
          Optional.ofNullable(rows.get(each.row)).flatMap(row -> row.get(indexed));
      if (value.filter(v -> entry.rows().at(each.row, v).row().equals(each.at)).isEmpty()) {
        removals.add(
            new RowWrite(
                each.at, List.of(), List.of(new Removal(part.column().name(), each.version))));
      }
    }
    for (Outcome<Void> outcome : store.write(removals, Durability.BUFFERED)) {
      if (!(outcome instanceof Outcome.Done<Void>)) {
        throw new TabletUnavailableException(
            "An index row was not removed: " + outcome + ". Sweep the index again.");
      }
    }
    removed += removals.size();
    batch.clear();
  }
}
