package io.braid.indexes;

import io.braid.core.cells.CommitRecord;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Column;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowWrite;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.indexes.IndexEntry.State;
import io.braid.indexes.IndexRows.Part;
import io.braid.indexes.IndexRows.Place;
import io.braid.indexes.IndexedTables.Fence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Builds an index while writers go on (Omid, section 6.1). The steps, each of which may be done
 * again after a crash:
 *
 * <ol>
 *   <li>The definition is stored: transactions that begin from now on write the index rows.
 *   <li>A new epoch of the table refuses transactions that began before, and the intents that they
 *       left are resolved. This is the fence.
 *   <li>The fence timestamp is drawn. Its snapshot holds all rows that were written without index
 *       rows.
 *   <li>Index rows that point nowhere in that snapshot are ended. Between the first step and the
 *       fence one process may have written a row with its index row. Another process, which did not
 *       know the index yet, may have changed the row without it.
 *   <li>The index is populated from that snapshot in bulk: commit records at the fence timestamp,
 *       without any search for conflicts. Later writes have higher versions and lie above.
 *   <li>A unique index is checked at a second fence: writes from before the first one was populated
 *       could not be checked then.
 *   <li>The table that holds the index rows gets another epoch, so that no index row arrives late.
 *       Then the index is ready, and the snapshot may be collected.
 * </ol>
 *
 * <p>Each process that continues a build begins an epoch of its own: a process that stalled during
 * the build writes nothing more.
 */
final class IndexBuild {
  private final CellStore store;
  private final IndexedTables tables;
  private final IndexRegistry registry;
  private final IndexPins pins;
  private final int smallValueBytes;

  IndexBuild(
      CellStore store,
      IndexedTables tables,
      IndexRegistry registry,
      IndexPins pins,
      int smallValueBytes) {
    this.store = store;
    this.tables = tables;
    this.registry = registry;
    this.pins = pins;
    this.smallValueBytes = smallValueBytes;
  }

  /**
   * Continues from the state in the entry.
   *
   * @param progress receives the number of rows read so far
   */
  void run(IndexEntry from, LongConsumer progress) {
    IndexEntry entry = from;
    Index index = entry.index();
    String rowsTable = entry.rows().parts().get(0).table();
    long epoch;
    if (entry.fence() == 0) {
      // No index rows were written without transactions yet, so a global index needs no other
      // epoch.
      long own = store.epoch(rowsTable);
      IndexPins.Attempt attempt = pins.begin(entry);
      Fence begun = attempt.fence;
      entry = attempt.step(each -> each.at(begun.timestamp(), Bytes.EMPTY));
      epoch = index.isLocal() ? begun.epoch() : own;
    } else {
      epoch = tables.raiseEpoch(rowsTable);
      registry.requireStanding(entry);
    }
    IndexWrites writes = new IndexWrites(store, epoch);
    endStrays(entry, writes);

    entry = populate(entry, writes, progress);
    if (index.isUnique()) {
      verify(entry, tables.fence(index.table()).timestamp());
    }
    tables.raiseEpoch(rowsTable);
    registry.step(entry, each -> each.as(State.READY));
    pins.unpin(entry, entry.fence());
  }

  /**
   * Removes the pin of a build that has ended: the process that ended the build may have died, or
   * have lost the answer.
   */
  void letGo(IndexEntry entry) {
    pins.unpin(entry, entry.fence());
  }

  /** Ends the index rows that name, at the fence, a row that does not have the value. */
  private void endStrays(IndexEntry entry, IndexWrites writes) {
    Column<Bytes> indexed = new Column<>(entry.index().column(), IndexUpdates.AS_IS);
    try (Snapshot snapshot = tables.fenced(entry.fence())) {
      for (Part part : entry.rows().parts()) {
        List<RowValues> found = new ArrayList<>(IndexWrites.BATCH);
        try (RowCursor rows = snapshot.scan(part.scan(KeyRange.ALL))) {
          while (rows.hasNext()) {
            found.add(rows.next());
            if (found.size() == IndexWrites.BATCH || !rows.hasNext()) {
              endStrays(entry, part, found, snapshot, indexed, writes);
              found.clear();
            }
          }
        }
      }
    }
  }

  private void endStrays(
      IndexEntry entry,
      Part part,
      List<RowValues> found,
      Snapshot snapshot,
      Column<Bytes> indexed,
      IndexWrites writes) {
    String table = entry.index().table();
    List<Row> named = new ArrayList<>(found.size());
    found.forEach(each -> named.add(Row.of(table, each.get(part.column()).orElseThrow())));
    Map<Row, RowValues> standing = snapshot.getAll(named, List.of(indexed));
    for (int i = 0; i < found.size(); i++) {
      Row row = named.get(i);
      Row at = found.get(i).row();
      Optional<Bytes> value =
          Optional.ofNullable(standing.get(row)).flatMap(each -> each.get(indexed));
      if (value.filter(v -> entry.rows().at(row, v).row().equals(at)).isEmpty()) {
        writes.add(
            record(entry, CommitRecord.Kind.DELETE, new Place(at, part.column()), Bytes.EMPTY));
      }
    }
    writes.write();
  }

  private IndexEntry populate(IndexEntry begin, IndexWrites writes, LongConsumer progress) {
    IndexEntry entry = begin;
    Column<Bytes> column = new Column<>(entry.index().column(), IndexUpdates.AS_IS);
    long seen = 0;
    try (Snapshot snapshot = tables.fenced(entry.fence());
        RowCursor rows = snapshot.scan(scan(entry, column))) {
      while (rows.hasNext()) {
        RowValues row = rows.next();
        writes.add(indexRow(entry, row.row(), row.get(column).orElseThrow()));
        if (writes.isFull() || !rows.hasNext()) {
          seen += writes.write();
          Bytes next = row.row().key().successor();
          entry = registry.step(entry, each -> each.at(each.fence(), next));
          progress.accept(seen);
        }
      }
    }
    return entry;
  }

  private static Scan scan(IndexEntry entry, Column<Bytes> column) {
    return Scan.of(entry.index().table()).range(new KeyRange(entry.next(), null)).column(column);
  }

  private RowWrite indexRow(IndexEntry entry, Row row, Bytes value) {
    if (row.key().length() > smallValueBytes) {
      throw new IndexRegistry.TooLongException(
          "The key of row " + row + " is too long for an index.");
    }
    Place at = entry.rows().at(row, value);
    registry.requireFits(entry.index(), at.row(), row);
    return record(entry, CommitRecord.Kind.PUT, at, row.key());
  }

  private static RowWrite record(IndexEntry entry, CommitRecord.Kind kind, Place at, Bytes value) {
    long version = entry.fence();
    // Nobody began it: the start is what no transaction has.
    CommitRecord record = new CommitRecord(kind, version - 1, value);
    return RowWrite.put(at.row(), new Cell(at.column().name(), version, record.encode(version)));
  }

  /** Every row is found by its value: then no two rows have the same. */
  private void verify(IndexEntry entry, long at) {
    Index index = entry.index();
    Column<Bytes> column = new Column<>(index.column(), IndexUpdates.AS_IS);
    try (Snapshot snapshot = tables.fenced(at);
        RowCursor rows = snapshot.scan(Scan.of(index.table()).column(column))) {
      while (rows.hasNext()) {
        RowValues row = rows.next();
        Bytes value = row.get(column).orElseThrow();
        Place place = entry.rows().at(row.row(), value);
        Bytes holder = snapshot.get(place.row(), place.column()).orElse(Bytes.EMPTY);
        if (!holder.equals(row.row().key())) {
          throw new DuplicateValueException(index.name(), value, row.row());
        }
      }
    }
  }
}
