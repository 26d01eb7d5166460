package io.braid.tables;

import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.transaction.Protocol;
import io.braid.indexes.IndexEntry;
import io.braid.indexes.IndexRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The tables that a transaction writes; most transactions write one. */
final class WrittenTables {
  // Guarded by this.
  private @Nullable WrittenTable first;
  private @Nullable Map<String, WrittenTable> others;

  /** A table that is written. */
  static final class WrittenTable {
    final Row row;
    final ColumnName column;

    /** The protocol of the table at its first write, whatever it is bound to now. */
    final Protocol protocol;

    /** The indexes that were known when it was written first. */
    final List<IndexEntry> first;

    /** The names of all that were kept in step when it was written. */
    final Set<String> kept = ConcurrentHashMap.newKeySet();

    WrittenTable(Row row, ColumnName column, Protocol protocol, List<IndexEntry> indexes) {
      this.row = row;
      this.column = column;
      this.protocol = protocol;
      this.first = indexes;
    }

    /** The indexes that a write has to keep in step now. */
    List<IndexEntry> kept(IndexRegistry indexes) {
      List<IndexEntry> now = indexes.of(row.table());
      now.forEach(entry -> kept.add(entry.index().name()));
      return now;
    }
  }

  /** A table, which is written for the first time unless it is known. */
  synchronized WrittenTable written(
      IndexRegistry indexes, Row row, ColumnName column, Protocol protocol) {
    String table = row.table();
    WrittenTable before = written(table);
    if (before != null) {
      return before;
    }
    WrittenTable now = new WrittenTable(row, column, protocol, indexes.of(table));
    if (first == null) {
      first = now;
    } else {
      if (others == null) {
        others = new HashMap<>();
      }
      others.put(table, now);
    }
    return now;
  }

  /** A table that was written; null when it was not. */
  synchronized @Nullable WrittenTable written(String table) {
    WrittenTable one = first;
    if (one == null || one.row.table().equals(table)) {
      return one;
    }
    return others == null ? null : others.get(table);
  }

  synchronized List<WrittenTable> all() {
    List<WrittenTable> all = new ArrayList<>();
    if (first != null) {
      all.add(first);
    }
    if (others != null) {
      all.addAll(others.values());
    }
    return all;
  }
}
