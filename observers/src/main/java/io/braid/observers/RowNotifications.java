package io.braid.observers;

import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.cells.Notification;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.Selection;
import io.braid.observers.rows.DeadLetter;
import io.braid.observers.schedule.Hints;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The notifications of a row, as they were at one instant, by their observed column. */
final class RowNotifications {
  /** The most versions read at a time for one column; the rest is read when these are gone. */
  private static final int MOST_VERSIONS = 4096;

  private static final long YOUNG_MILLIS = 1000;

  /** In the place of the birth of a table, for changes that were told and not read. */
  static final long TOLD = -1;

  private final long birth;
  private final SortedMap<ColumnName, ColumnNotifications> columns = new TreeMap<>();
  private final Map<ColumnName, Long> deadLetters = new HashMap<>(0);

  /** The notifications of a column, newest first. */
  static final class ColumnNotifications {
    private final List<Long> strong;
    private final long committed;
    private final List<Cell> weak = new ArrayList<>(0);
    private final List<Long> youngIntents = new ArrayList<>(0);

    private ColumnNotifications(List<Long> strong, long committed) {
      this.strong = strong;
      this.committed = committed;
    }

    /** The versions of those that came with a write. */
    List<Long> strong() {
      return strong;
    }

    /** The commit timestamp of the newest change that is known to have committed; 0 for none. */
    long committed() {
      return committed;
    }

    List<Cell> weak() {
      return weak;
    }

    /** Whether all strong ones belong to transactions that have hardly begun to commit. */
    boolean areYoung() {
      return youngIntents.containsAll(strong);
    }

    /** Whether there may be more than these. */
    boolean isTruncated() {
      return strong.size() + weak.size() >= MOST_VERSIONS;
    }

    private void add(Cell cell) {
      Notification notification = Notification.decode(cell.value());
      if (notification.kind() == Notification.Kind.STRONG) {
        strong.add(cell.version());
      } else {
        weak.add(cell);
      }
    }
  }

  private RowNotifications(long birth) {
    this.birth = birth;
  }

  /** Those of rows, in their order. */
  static List<RowNotifications> read(CellStore store, List<Row> rows, Seams seams) {
    List<RowRead> requests = new ArrayList<>(rows.size());
    for (Row row : rows) {
      requests.add(
          RowRead.of(
              row,
              Selection.family(Families.NOTIFY).newest(MOST_VERSIONS),
              Selection.family(Families.INTENT),
              Selection.family(Families.DEAD_LETTERS)));
    }
    // The births are looked up before the read: notifications of a later table then count as those
    // of an earlier one.
    Map<String, Long> births = new HashMap<>();
    rows.forEach(row -> births.computeIfAbsent(row.table(), store::birth));
    List<RowNotifications> all = new ArrayList<>(rows.size());
    for (RowCells row : store.read(requests)) {
      long birth = Objects.requireNonNull(births.get(row.row().table()));
      all.add(of(row.row(), row.cells(), birth, seams));
    }
    return all;
  }

  private static RowNotifications of(Row row, List<Cell> cells, long birth, Seams seams) {
    RowNotifications all = new RowNotifications(birth);
    for (Cell cell : cells) {
      if (cell.column().family().equals(Families.NOTIFY)) {
        all.columns
            .computeIfAbsent(observed(cell), name -> new ColumnNotifications(new ArrayList<>(1), 0))
            .add(cell);
      } else if (cell.column().family().equals(Families.DEAD_LETTERS)) {
        all.deadLetters.put(cell.column(), DeadLetter.decode(row, cell).upTo());
      }
    }
    for (Cell cell : cells) {
      if (cell.column().family().equals(Families.INTENT) && isYoung(cell, seams.wallMillis())) {
        ColumnNotifications column = all.columns.get(observed(cell));
        if (column != null) {
          column.youngIntents.add(cell.version());
        }
      }
    }
    return all;
  }

  /**
   * Returns the notifications that are known without a read. Dead letters are not known; at worst
   * they are tried once more.
   */
  static RowNotifications of(Hints hints) {
    RowNotifications all = new RowNotifications(TOLD);
    hints
        .columns()
        .forEach(
            (column, changes) ->
                all.columns.put(
                    column, new ColumnNotifications(changes.starts(), changes.newest())));
    return all;
  }

  private static ColumnName observed(Cell cell) {
    return Families.column(cell.column().qualifier());
  }

  private static boolean isYoung(Cell cell, long wallMillis) {
    if (cell.column().equals(Families.hold())) {
      return false;
    }
    Intent intent = Intent.decode(cell.value());
    return intent.undecided() && isYoung(intent.wallMillis(), wallMillis);
  }

  /**
   * Returns whether the write of that time is probably still being committed, and is better left in
   * peace. A write with a future time was made before a clock was set back.
   */
  static boolean isYoung(long thenMillis, long nowMillis) {
    return Math.abs(nowMillis - thenMillis) < YOUNG_MILLIS;
  }

  /** Up to which timestamp the changes of an observer are dead letters; 0 when none are. */
  long deadLetterUpTo(Watch watch) {
    return deadLetters.isEmpty() ? 0 : deadLetters.getOrDefault(watch.deadLetter(), 0L);
  }

  /** The birth of the table that they were read from; {@link #TOLD} when they were not read. */
  long birth() {
    return birth;
  }

  /** The columns that have notifications. */
  Set<ColumnName> columns() {
    return columns.keySet();
  }

  ColumnNotifications of(ColumnName column) {
    return Objects.requireNonNull(columns.get(column));
  }
}
