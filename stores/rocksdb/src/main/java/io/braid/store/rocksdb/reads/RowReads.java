package io.braid.store.rocksdb.reads;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import io.braid.store.rocksdb.concurrency.RowLocks;
import io.braid.store.rocksdb.engine.Engine;
import io.braid.store.rocksdb.tables.Family;
import io.braid.store.rocksdb.tables.Table;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.Snapshot;

/**
 * Reads rows without locks, each as it is at one instant over all its families.
 *
 * <p>The families of a row are read one after another, so a write may come in between. A reader
 * takes the stamp of the row's stripe before and after ({@link RowLocks}); equal and even stamps
 * mean that nothing changed. Otherwise, which is rare, the row is read from a snapshot of RocksDB,
 * which always succeeds and never waits. The presence filter describes the present state, so a read
 * from a snapshot does not use it.
 */
public final class RowReads {
  private final Engine engine;
  private final RowLocks locks;
  private final CellReads cells;
  private final NewestReads newest;
  private final Counters counters;

  public RowReads(
      Engine engine, RowLocks locks, CellReads cells, NewestReads newest, Counters counters) {
    this.engine = engine;
    this.locks = locks;
    this.cells = cells;
    this.newest = newest;
    this.counters = counters;
  }

  /**
   * @param tables the table of each request
   */
  public List<RowCells> read(Cursors cursors, List<RowRead> requests, List<Table> tables) {
    int count = requests.size();
    long[] stamps = new long[count];
    for (int i = 0; i < count; i++) {
      stamps[i] = locks.stamp(RowLocks.stripe(requests.get(i).row()));
    }
    List<RowCells> answers = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      RowRead request = requests.get(i);
      RowCells answer = read(cursors, request, tables.get(i), true);
      boolean changed =
          RowLocks.changing(stamps[i]) || locks.stamp(RowLocks.stripe(request.row())) != stamps[i];
      answers.add(
          changed && request.selections().size() > 1 ? onSnapshot(request, tables.get(i)) : answer);
    }
    return answers;
  }

  private RowCells onSnapshot(RowRead request, Table table) {
    counters.snapshotReads.increment();
    Snapshot snapshot = engine.db.getSnapshot();
    try (Cursors cursors = new Cursors(engine)) {
      cursors.renew(snapshot);
      return read(cursors, request, table, false);
    } finally {
      engine.db.releaseSnapshot(snapshot);
    }
  }

  private RowCells read(Cursors cursors, RowRead request, Table table, boolean now) {
    Row row = request.row();
    List<Cell> out = new ArrayList<>();
    for (Selection selection : request.selections()) {
      Family family = table.family(selection.family());
      if (!now) {
        cells.select(cursors.of(family), row.key(), selection, out);
      } else if (cells.mayHave(family, row.key())) {
        readNow(cursors, family, row, selection, out);
      }
    }
    return new RowCells(row, request.selections().size() > 1 ? merge(out) : out);
  }

  private void readNow(
      Cursors cursors, Family family, Row row, Selection selection, List<Cell> out) {
    Bytes qualifier = selection.qualifier();
    if (qualifier == null || selection.maxVersions() > 1) {
      cells.select(cursors.of(family), row.key(), selection, out);
      return;
    }
    ColumnName column = new ColumnName(family.name, qualifier);
    Cell cell = newest.free(cursors, family, row, column, selection.maxVersion());
    if (cell != null && cell.version() >= selection.minVersion()) {
      out.add(cell);
    }
  }

  /** In order, each cell once: selections may overlap. */
  private static List<Cell> merge(List<Cell> cells) {
    if (cells.size() < 2) {
      return cells;
    }
    cells.sort(Cell.ORDER);
    List<Cell> merged = new ArrayList<>(cells.size());
    Cell last = null;
    for (Cell cell : cells) {
      if (last == null || Cell.ORDER.compare(last, cell) != 0) {
        merged.add(cell);
      }
      last = cell;
    }
    return merged;
  }
}
