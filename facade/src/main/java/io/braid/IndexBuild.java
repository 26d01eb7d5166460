package io.braid;

import io.braid.IndexRegistry.Entry;
import io.braid.IndexRegistry.State;
import io.braid.IndexRows.Place;
import io.braid.core.cells.CommitRecord;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Column;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowWrite;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Builds an index while writers go on (Omid, section 6.1). The steps, each of which may be done
 * again after a crash:
 *
 * <ol>
 *   <li>The definition is stored: transactions that begin from now on write the index rows.
 *   <li>A new epoch of the table refuses those that began before, and the intents they left are
 *       resolved: the fence.
 *   <li>The fence timestamp is drawn. Its snapshot holds all that was written without index rows.
 *   <li>That snapshot is populated in bulk: commit records at the fence timestamp, without any
 *       search for conflicts. What was written since has higher versions and stands above.
 *   <li>A unique index is checked at a second fence: what was written before the first one was
 *       populated could not be checked then.
 *   <li>The index is ready.
 * </ol>
 */
final class IndexBuild {
  private static final int BATCH = 500;

  private final CellStore store;
  private final BoundTransactions transactions;
  private final IndexRegistry registry;
  private final TableFence fence;
  private final int smallValueBytes;

  IndexBuild(
      CellStore store,
      BoundTransactions transactions,
      IndexRegistry registry,
      TableFence fence,
      int smallValueBytes) {
    this.store = store;
    this.transactions = transactions;
    this.registry = registry;
    this.fence = fence;
    this.smallValueBytes = smallValueBytes;
  }

  /**
   * Goes on where the entry stands.
   *
   * @param progress hears how many rows were looked at
   */
  void run(Entry from, LongConsumer progress) {
    Entry entry = from;
    String name = entry.index().name();
    if (entry.fence() == 0) {
      long at = fence.set(entry.index().table());
      unpin(name);
      transactions.pin(pin(name), at);
      entry = registry.update(name, each -> each.at(at, Bytes.EMPTY));
    }
    populate(entry, progress);
    if (entry.index().isUnique()) {
      verify(entry, fence.set(entry.index().table()));
    }
    registry.update(name, each -> each.as(State.READY));
    unpin(name);
  }

  private static String pin(String index) {
    return "index-" + index;
  }

  /** The snapshot that it was populated from is not needed any more. */
  void unpin(String index) {
    transactions.unpin(pin(index));
  }

  private void populate(Entry begin, LongConsumer progress) {
    Entry entry = begin;
    Column<Bytes> column = new Column<>(entry.index().column(), IndexUpdates.AS_IS);
    long seen = 0;
    List<RowWrite> batch = new ArrayList<>(BATCH);
    try (Snapshot snapshot = transactions.snapshotAt(entry.fence());
        RowCursor rows = snapshot.scan(scan(entry, column))) {
      while (rows.hasNext()) {
        RowValues row = rows.next();
        batch.add(indexRow(entry, row.row(), row.get(column).orElseThrow()));
        if (batch.size() == BATCH || !rows.hasNext()) {
          write(batch);
          seen += batch.size();
          batch.clear();
          Bytes next = row.row().key().successor();
          entry = registry.update(entry.index().name(), each -> each.at(each.fence(), next));
          progress.accept(seen);
        }
      }
    }
  }

  private static Scan scan(Entry entry, Column<Bytes> column) {
    return Scan.of(entry.index().table()).range(new KeyRange(entry.next(), null)).column(column);
  }

  private RowWrite indexRow(Entry entry, Row row, Bytes value) {
    if (row.key().length() > smallValueBytes) {
      throw new IndexRegistry.TooLongException(
          "The key of row " + row + " is too long for an index.");
    }
    Place at = entry.rows().at(row, value);
    registry.requireFits(entry.index(), at.row(), row);
    long version = entry.fence();
    // Nobody began it: the start is what no transaction has.
    CommitRecord record = new CommitRecord(CommitRecord.Kind.PUT, version - 1, row.key());
    return RowWrite.put(at.row(), new Cell(at.column().name(), version, record.encode(version)));
  }

  private void write(List<RowWrite> batch) {
    for (Outcome<Void> outcome : store.write(batch, Durability.SYNCED)) {
      if (!(outcome instanceof Outcome.Done<Void>)) {
        throw new TabletUnavailableException(
            "An index row was not written: " + outcome + ". Create the index again to go on.");
      }
    }
  }

  /** Every row is found by its value: then no two rows have the same. */
  private void verify(Entry entry, long at) {
    Index index = entry.index();
    Column<Bytes> column = new Column<>(index.column(), IndexUpdates.AS_IS);
    try (Snapshot snapshot = transactions.snapshotAt(at);
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
