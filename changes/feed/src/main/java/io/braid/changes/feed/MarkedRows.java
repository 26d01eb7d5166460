package io.braid.changes.feed;

import io.braid.core.cells.CommitRecord;
import io.braid.core.cells.Families;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowWrite;
import io.braid.core.store.Selection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes marked commits over into the log: reads their records, writes the log, synced, then removes
 * the marks. A missing record was taken over by another round, since garbage collection keeps
 * marked records.
 */
final class MarkedRows {
  private static final int BATCH = 500;
  private static final long BATCH_BYTES = 4 << 20;

  private final CellStore store;
  private final Map<Row, List<Cell>> marks = new LinkedHashMap<>();
  private int count;
  private long taken;

  MarkedRows(CellStore store) {
    this.store = store;
  }

  /**
   * Adds the marks of a row.
   *
   * @return whether it is time to flush
   */
  boolean add(Row row, List<Cell> found) {
    marks.put(row, found);
    count += found.size();
    return count >= BATCH;
  }

  /** Returns how many commits of columns were taken over. */
  long taken() {
    return taken;
  }

  /** Takes over the rows that were added. */
  void flush() {
    List<RowRead> reads = new ArrayList<>(marks.size());
    marks.forEach((row, cells) -> reads.add(new RowRead(row, records(cells), 0)));
    List<RowWrite> log = new ArrayList<>();
    long bytes = 0;
    for (RowCells records : reads.isEmpty() ? List.<RowCells>of() : store.read(reads)) {
      Map<Long, List<Cell>> commits = new LinkedHashMap<>();
      for (Cell cell : records.cells()) {
        Cell logged = logged(records.row(), cell);
        if (logged == null) {
          continue;
        }
        bytes += logged.value().length();
        commits.computeIfAbsent(cell.version(), each -> new ArrayList<>()).add(logged);
        taken++;
      }
      commits.forEach(
          (commit, cells) ->
              log.add(new RowWrite(ChangeRows.row(records.row(), commit), cells, List.of())));
      if (bytes > BATCH_BYTES) {
        LogWrites.putAll(store, log);
        log.clear();
        bytes = 0;
      }
    }
    if (!log.isEmpty()) {
      LogWrites.putAll(store, log);
    }
    discard();
  }

  /** Removes the marks that were added, and logs nothing. */
  void discard() {
    if (!marks.isEmpty()) {
      List<RowWrite> removals = new ArrayList<>(marks.size());
      marks.forEach((row, cells) -> removals.add(LogWrites.removal(row, cells)));
      LogWrites.removeAll(store, removals);
    }
    marks.clear();
    count = 0;
  }

  private static List<Selection> records(List<Cell> marks) {
    List<Selection> records = new ArrayList<>(marks.size());
    for (Cell mark : marks) {
      ColumnName column = Families.column(mark.column().qualifier());
      records.add(version(column, mark.version()));
    }
    return records;
  }

  private static Selection version(ColumnName column, long version) {
    return new Selection(column.family(), column.qualifier(), version, version, 1);
  }

  /** Null when another round has taken it over. */
  private @Nullable Cell logged(Row row, Cell cell) {
    ColumnName column = cell.column();
    CommitRecord record = CommitRecord.decode(cell.value(), cell.version());
    return switch (record.kind()) {
      case PUT -> ChangeRows.put(column, record.value());
      case PUT_LARGE -> {
        Selection place = version(Families.large(column), record.start());
        List<Cell> large = store.read(RowRead.of(row, place)).cells();
        yield large.isEmpty() ? null : ChangeRows.put(column, large.get(0).value());
      }
      case DELETE, LOCK -> ChangeRows.delete(column);
    };
  }
}
