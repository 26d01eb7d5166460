package io.braid.percolator.reads;

import io.braid.core.data.ColumnName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Learns for each table which columns are read after another one, of the same row and in the same
 * transaction (Percolator, section 2.5). A column that followed at least every second time is
 * expected to follow again. Old reads count half as much after some time, so that new patterns
 * show.
 */
final class ReadPatterns {
  private static final int COLUMNS = 64;
  private static final int FOLLOWERS = 8;
  private static final int ENOUGH = 8;
  private static final int MANY = 512;

  private final Map<String, TablePattern> tables = new ConcurrentHashMap<>();

  /** The columns that will probably be read after this one. */
  List<ColumnName> expectedAfter(String table, ColumnName column) {
    TablePattern pattern = tables.get(table);
    Followers followers = pattern == null ? null : pattern.followers.get(column);
    return followers == null ? List.of() : followers.expected;
  }

  /** Learns that these columns of a row were read, in this order. */
  void learn(String table, List<ColumnName> columns) {
    TablePattern pattern = tables.get(table);
    if (pattern == null && columns.size() > 1) {
      pattern = tables.computeIfAbsent(table, name -> new TablePattern());
    }
    if (pattern != null) {
      pattern.learn(columns);
    }
  }

  private static final class TablePattern {
    final Map<ColumnName, Followers> followers = new ConcurrentHashMap<>();

    synchronized void learn(List<ColumnName> columns) {
      for (int i = 0; i < columns.size(); i++) {
        Followers of = followers.get(columns.get(i));
        if (of == null && i + 1 < columns.size() && followers.size() < COLUMNS) {
          of = new Followers();
          followers.put(columns.get(i), of);
        }
        if (of != null) {
          of.learn(columns.subList(i + 1, columns.size()));
        }
      }
    }
  }

  /** The columns that follow one column; changed under the lock of its table. */
  private static final class Followers {
    private final Map<ColumnName, Integer> times = new LinkedHashMap<>();
    private int reads;
    volatile List<ColumnName> expected = List.of();

    void learn(List<ColumnName> after) {
      reads++;
      for (ColumnName column : after) {
        if (times.size() < FOLLOWERS || times.containsKey(column)) {
          times.merge(column, 1, Integer::sum);
        }
      }
      if (reads % ENOUGH == 0) {
        expect();
      }
    }

    private void expect() {
      List<ColumnName> usual = new ArrayList<>();
      times.forEach(
          (column, count) -> {
            if (2 * count >= reads) {
              usual.add(column);
            }
          });
      if (!usual.equals(expected)) {
        expected = List.copyOf(usual);
      }
      if (reads >= MANY) {
        reads /= 2;
        times.replaceAll((column, count) -> count / 2);
        times.values().removeIf(count -> count == 0);
      }
    }
  }
}
