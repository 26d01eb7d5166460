package io.braid.observers.schedule;

import io.braid.core.data.ColumnName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The changes of one row that transactions of this process have committed. With them the row need
 * not be read to find its work. Other work that waits in the row has its own notifications, and is
 * found by them.
 */
public final class Hints {
  /**
   * Beyond so many notifications of a column the row is read: collapsing takes them all at once.
   */
  private static final int MOST = 64;

  private final SortedMap<ColumnName, ColumnHints> columns = new TreeMap<>();

  /** Changes of one column. */
  public static final class ColumnHints {
    private final List<Long> starts = new ArrayList<>(1);
    private long newest;

    /** The versions of their notifications, newest first. */
    public List<Long> starts() {
      List<Long> sorted = new ArrayList<>(starts);
      sorted.sort(Collections.reverseOrder());
      return sorted;
    }

    /** The commit timestamp of the newest. */
    public long newest() {
      return newest;
    }
  }

  /** Adds a change; false when there are too many. */
  boolean add(ColumnName column, long start, long commit) {
    ColumnHints changes = columns.computeIfAbsent(column, name -> new ColumnHints());
    if (changes.starts.size() == MOST) {
      return false;
    }
    changes.starts.add(start);
    changes.newest = Math.max(changes.newest, commit);
    return true;
  }

  public SortedMap<ColumnName, ColumnHints> columns() {
    return columns;
  }
}
