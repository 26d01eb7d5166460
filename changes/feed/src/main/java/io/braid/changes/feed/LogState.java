package io.braid.changes.feed;

import io.braid.core.cells.Families;
import io.braid.core.cells.KeptChanges;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The state of the change log of a table: cells of its row in Braid's own table, whose versions are
 * the timestamps. The newest cell counts, so the timestamps rise no matter which process writes
 * last.
 *
 * @param begin changes at or below are not kept: the log began later, or was trimmed
 * @param resolved changes at or below are in the log
 * @param keepMillis how long changes are kept
 * @param shared the part that this log has in common with the logs of databases that this one was
 *     restored from: up to which timestamp, by their lineage
 */
record LogState(
    String table, long begin, long resolved, long keepMillis, Map<String, Long> shared) {
  private static final ColumnName RESOLVED = ColumnName.of(Families.SYSTEM, "resolved");
  private static final ColumnName KEEP = ColumnName.of(Families.SYSTEM, "keep");
  private static final String SHARED = "shared:";
  private static final long VERSION = 1;

  LogState {
    shared = Map.copyOf(shared);
  }

  static Optional<LogState> read(CellStore store, String table) {
    return of(store.read(RowRead.of(KeptChanges.row(table), Selection.family(Families.SYSTEM))));
  }

  static Optional<LogState> of(RowCells cells) {
    long begin = newest(cells, KeptChanges.BEGIN);
    if (begin < 0) {
      return Optional.empty();
    }
    long keep = 0;
    Map<String, Long> shared = new HashMap<>();
    for (Cell cell : cells.cells()) {
      String column = cell.column().qualifier().toUtf8();
      if (cell.column().equals(KEEP)) {
        keep = cell.value().longAt(0);
      } else if (column.startsWith(SHARED)) {
        shared.merge(column.substring(SHARED.length()), cell.version(), Math::max);
      }
    }
    String table = cells.row().key().slice(KeptChanges.PREFIX.length()).toUtf8();
    return Optional.of(
        new LogState(table, begin, Math.max(begin, newest(cells, RESOLVED)), keep, shared));
  }

  private static long newest(RowCells cells, ColumnName column) {
    return cells.cells().stream()
        .filter(cell -> cell.column().equals(column))
        .mapToLong(Cell::version)
        .max()
        .orElse(-1);
  }

  static void begin(CellStore store, String table, long timestamp) {
    raise(store, table, KeptChanges.BEGIN, timestamp);
  }

  static void resolved(CellStore store, String table, long timestamp) {
    raise(store, table, RESOLVED, timestamp);
  }

  static void keep(CellStore store, String table, long millis) {
    LogWrites.put(store, KeptChanges.row(table), new Cell(KEEP, VERSION, Bytes.ofLong(millis)));
  }

  static void share(CellStore store, String table, String lineage, long timestamp) {
    ColumnName column = ColumnName.of(Families.SYSTEM, SHARED + lineage);
    LogWrites.put(store, KeptChanges.row(table), new Cell(column, timestamp, Bytes.EMPTY));
  }

  /**
   * Returns whether a position is one of this log, or of one that this log has all of up to there.
   */
  boolean has(Position position, String own) {
    String lineage = position.lineage();
    return lineage == null
        || lineage.equals(own)
        || position.timestamp() <= shared.getOrDefault(lineage, -1L);
  }

  /** Puts a cell at a version; then the older ones can go. */
  private static void raise(CellStore store, String table, ColumnName column, long version) {
    Row row = KeptChanges.row(table);
    LogWrites.put(store, row, new Cell(column, version, Bytes.EMPTY));
    List<Cell> all = store.read(RowRead.of(row, Selection.column(column))).cells();
    LogWrites.remove(store, row, new ArrayList<>(all.subList(Math.min(1, all.size()), all.size())));
  }

  /** Forgets that there was a log. */
  static void remove(CellStore store, String table) {
    Row row = KeptChanges.row(table);
    LogWrites.remove(
        store, row, store.read(RowRead.of(row, Selection.family(Families.SYSTEM))).cells());
  }
}
