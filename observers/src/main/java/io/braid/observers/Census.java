package io.braid.observers;

import io.braid.core.cells.Families;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowCells;
import io.braid.core.store.Selection;
import io.braid.core.time.Timestamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Counts what is waiting for observers. For one task. */
final class Census {
  private final CellStore store;
  private final Seams seams;

  Census(CellStore store, Seams seams) {
    this.store = store;
    this.seams = seams;
  }

  /** Rows in which a column, or an observer of it, has something, and the oldest version there. */
  private static final class Count {
    private static final Count NONE = new Count();
    private long rows;
    private long oldest = Long.MAX_VALUE;

    private void add(long version) {
      rows++;
      oldest = Math.min(oldest, version);
    }
  }

  List<ObserverStatus> take(ObservedColumns observed, Map<String, Backfill> backfills) {
    List<ObserverStatus> all = new ArrayList<>();
    long now = seams.wallMillis();
    for (String table : observed.tables()) {
      Map<ColumnName, Count> pending = count(table, Families.NOTIFY);
      Map<ColumnName, Count> deadLetters = count(table, Families.DEAD_LETTERS);
      for (Watch watch : observed.watches()) {
        if (watch.registration().table().equals(table)) {
          ColumnName column = watch.registration().column();
          Count waiting = pending.getOrDefault(Families.notification(column), Count.NONE);
          long age =
              waiting.rows == 0 ? 0 : Math.max(0, now - Timestamp.wallMillis(waiting.oldest));
          all.add(
              new ObserverStatus(
                  watch.name(),
                  table,
                  column,
                  watch.weak(),
                  watch.body() != null,
                  watch.paused(),
                  waiting.rows,
                  age,
                  deadLetters.getOrDefault(watch.deadLetter(), Count.NONE).rows,
                  Optional.ofNullable(backfills.get(watch.name()))));
        }
      }
    }
    return all;
  }

  /** By the column in which the cells stand. */
  private Map<ColumnName, Count> count(String table, String family) {
    Map<ColumnName, Count> counts = new HashMap<>();
    new RowPages(store, table, KeyRange.ALL, List.of(Selection.family(family)))
        .forEach(row -> count(row, counts));
    return counts;
  }

  private static void count(RowCells row, Map<ColumnName, Count> counts) {
    List<Cell> cells = row.cells();
    for (int i = 0; i < cells.size(); i++) {
      Cell cell = cells.get(i);
      boolean oldest = i + 1 == cells.size() || !cells.get(i + 1).column().equals(cell.column());
      if (oldest) {
        counts.computeIfAbsent(cell.column(), column -> new Count()).add(cell.version());
      }
    }
  }
}
