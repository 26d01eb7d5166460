package io.braid.examples.webindex.rebuild;

import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;

/** Everything that can be derived from the pages, as the tables would hold it. */
public final class Derived {
  private final NavigableMap<Row, SortedMap<ColumnName, Bytes>> rows = new TreeMap<>();

  <T> void put(Row row, Column<T> column, T value) {
    rows.computeIfAbsent(row, r -> new TreeMap<>())
        .put(column.name(), column.codec().encode(value));
  }

  /** The rows of a table that should have values. */
  SortedMap<Bytes, SortedMap<ColumnName, Bytes>> table(String table) {
    SortedMap<Bytes, SortedMap<ColumnName, Bytes>> ofTable = new TreeMap<>();
    for (Map.Entry<Row, SortedMap<ColumnName, Bytes>> entry :
        rows.tailMap(new Row(table, Bytes.EMPTY), true).entrySet()) {
      if (!entry.getKey().table().equals(table)) {
        break;
      }
      ofTable.put(entry.getKey().key(), Collections.unmodifiableSortedMap(entry.getValue()));
    }
    return ofTable;
  }

  /** Returns how many cells there should be. */
  public long cells() {
    return rows.values().stream().mapToLong(SortedMap::size).sum();
  }
}
