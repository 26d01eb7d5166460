package io.braid.examples.webindex.rebuild;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.examples.webindex.tables.Pages;
import io.braid.examples.webindex.tables.Tables;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Compares, cell by cell, the output of the observers with that of a rebuild. */
public final class Verification {
  private static final int SHOWN = 20;
  private static final SortedMap<ColumnName, Bytes> NO_CELLS = Collections.emptySortedMap();

  private final List<String> differences = new ArrayList<>();

  private Verification() {}

  /**
   * Compares the index in a snapshot with the rebuilt one; the two can be equal only when no
   * observer has work left.
   *
   * @return the first differences, a sentence each; empty when there are none
   */
  public static List<String> differences(Snapshot snapshot, Derived expected) {
    Verification verification = new Verification();
    Tables.families()
        .forEach(
            (table, families) ->
                verification.compare(
                    table, stored(snapshot, table, families), expected.table(table)));
    return List.copyOf(verification.differences);
  }

  private static SortedMap<Bytes, SortedMap<ColumnName, Bytes>> stored(
      Snapshot snapshot, String table, List<String> families) {
    SortedMap<Bytes, SortedMap<ColumnName, Bytes>> rows = new TreeMap<>();
    String crawled = Pages.CONTENT.name().family();
    Scan scan = Scan.of(table);
    for (String family : families) {
      scan = table.equals(Pages.TABLE) && family.equals(crawled) ? scan : scan.family(family);
    }
    try (RowCursor cursor = snapshot.scan(scan)) {
      while (cursor.hasNext()) {
        RowValues row = cursor.next();
        rows.put(row.row().key(), row.values());
      }
    }
    return rows;
  }

  private void compare(
      String table,
      SortedMap<Bytes, SortedMap<ColumnName, Bytes>> stored,
      SortedMap<Bytes, SortedMap<ColumnName, Bytes>> expected) {
    for (Bytes key : union(stored, expected)) {
      SortedMap<ColumnName, Bytes> are = stored.getOrDefault(key, NO_CELLS);
      SortedMap<ColumnName, Bytes> should = expected.getOrDefault(key, NO_CELLS);
      for (ColumnName column : are.equals(should) ? NO_CELLS.keySet() : union(are, should)) {
        compare(table + "/" + key.toHex() + "/" + column, are.get(column), should.get(column));
      }
    }
  }

  private void compare(String cell, @Nullable Bytes is, @Nullable Bytes should) {
    boolean same = is == null ? should == null : is.equals(should);
    if (!same && differences.size() < SHOWN) {
      differences.add(
          cell
              + (is == null ? " is missing" : " is " + is)
              + (should == null ? " and should not be there." : " and should be " + should + "."));
    }
  }

  private static <K extends Comparable<K>> SortedSet<K> union(Map<K, ?> one, Map<K, ?> other) {
    SortedSet<K> keys = new TreeSet<>(one.keySet());
    keys.addAll(other.keySet());
    return keys;
  }
}
