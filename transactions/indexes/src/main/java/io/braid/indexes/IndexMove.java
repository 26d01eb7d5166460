package io.braid.indexes;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.RowWrite.Removal;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.indexes.IndexEntry.State;
import io.braid.indexes.IndexRows.Part;
import io.braid.indexes.IndexedTables.Fence;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;

/**
 * Brings the parts of a local index in line with the tablets of its table, which have been split or
 * merged since, while writers go on. The steps, each of which may be done again after a crash:
 *
 * <ol>
 *   <li>The new parts are stored, and a fence is set: from then on every writer keeps the index
 *       rows at both places.
 *   <li>Index rows whose place changes are copied with all their versions, so every snapshot that
 *       could use the index still can. Nothing above the fence is collected meanwhile: no copy
 *       brings back a value whose removal is forgotten.
 *   <li>The new parts are stored as the place of the index, and a fence is set, after which no copy
 *       can arrive late. Readers skip the index rows left behind.
 *   <li>The index rows left behind are removed.
 * </ol>
 *
 * <p>Each fence is set before the process checks that the index is still in the expected state. The
 * process may have stalled while others ended the move and began the next.
 */
final class IndexMove {
  private final CellStore store;
  private final IndexRegistry registry;
  private final IndexedTables tables;
  private final IndexPins pins;

  IndexMove(CellStore store, IndexRegistry registry, IndexedTables tables, IndexPins pins) {
    this.store = store;
    this.registry = registry;
    this.tables = tables;
    this.pins = pins;
  }

  /** The first keys of the parts that an index should have now; the lowest is empty. */
  List<Bytes> wanted(IndexEntry entry) {
    Set<Bytes> starts = new TreeSet<>();
    starts.add(Bytes.EMPTY);
    store
        .tablets(entry.index().table())
        .forEach(tablet -> starts.add(start(entry.rows(), tablet.range().start())));
    starts.removeIf(start -> start.length() > registry.longestStart());
    return List.copyOf(starts);
  }

  /**
   * Returns the start of a part. If a tablet was cut between index rows, the part begins behind
   * these: no row lies there.
   */
  private static Bytes start(IndexRows rows, Bytes cut) {
    for (Part part : rows.parts()) {
      KeyRange own = KeyRange.prefix(part.prefix());
      Bytes end = own.end();
      if (end != null && own.contains(cut)) {
        return end;
      }
    }
    return cut;
  }

  /**
   * Continues from the state in the entry.
   *
   * @param progress receives the number of index rows moved so far
   */
  void run(IndexEntry from, LongConsumer progress) {
    IndexEntry entry = from;
    String table = entry.index().table();
    if (entry.state() == State.READY) {
      List<Bytes> wanted = wanted(entry);
      if (wanted.equals(entry.starts())) {
        return;
      }
      entry = registry.step(entry, each -> each.movingTo(wanted));
    }
    if (entry.state() == State.MOVING) {
      IndexPins.Attempt attempt = pins.begin(entry);
      Fence begun = attempt.fence;
      forStrays(entry.rows(), entry.otherRows(), IndexMove::copied, begun, progress);
      entry = attempt.step(each -> each.moved(begun.timestamp()));
    }
    if (entry.state() == State.MOVED) {
      Fence moved = tables.fence(table);
      registry.requireStanding(entry);
      // No copy arrives any more: none can bring back data that is collected from now on.
      pins.unpin(entry, entry.since());
      forStrays(entry.otherRows(), entry.rows(), IndexMove::removal, moved, rows -> {});
      registry.step(entry, each -> each.as(State.READY));
    }
  }

  /** The change for an index row that is in one part and belongs to another. */
  private interface Change {
    RowWrite of(RowCells stray, Part from, Part to);
  }

  private void forStrays(
      IndexRows standing, IndexRows belonging, Change change, Fence under, LongConsumer progress) {
    long seen = 0;
    IndexWrites writes = new IndexWrites(store, under.epoch());
    for (Part part : standing.parts()) {
      ColumnName column = part.column().name();
      ScanRequest request =
          ScanRequest.of(part.table(), KeyRange.prefix(part.prefix()), Selection.column(column));
      try (RowScanner scanner = store.scan(request)) {
        for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
          Part to = belonging.part(IndexKeys.row(part.order(row.row())));
          if (!to.equals(part)) {
            writes.add(change.of(row, part, to));
          }
          if (writes.isFull()) {
            seen += writes.write();
            progress.accept(seen);
          }
        }
      }
      seen += writes.write();
    }
    progress.accept(seen);
  }

  private static RowWrite copied(RowCells stray, Part from, Part to) {
    Row row = Row.of(to.table(), to.prefix().concat(from.order(stray.row())));
    List<Cell> cells = new ArrayList<>(stray.cells().size());
    stray
        .cells()
        .forEach(cell -> cells.add(new Cell(to.column().name(), cell.version(), cell.value())));
    return new RowWrite(row, cells, List.of());
  }

  private static RowWrite removal(RowCells stray, Part from, Part to) {
    List<Removal> removals = new ArrayList<>(stray.cells().size());
    stray.cells().forEach(cell -> removals.add(new Removal(cell.column(), cell.version())));
    return new RowWrite(stray.row(), List.of(), removals);
  }
}
