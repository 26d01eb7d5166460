package io.braid.groups.leader;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.groups.log.LogEntry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The values of a group's members, as far as they were read or written (section 5.4: the leader
 * caches the contents of the members). All other values are in the store, unchanged since the group
 * was formed. Not safe for threads: the group's monitor guards it.
 */
final class MemberCache {
  /** The memory that a value takes besides its bytes, roughly. */
  private static final int OVERHEAD = 200;

  private final Map<Row, CachedRow> rows = new HashMap<>();
  private @Nullable GroupMemory memory;
  private long bytes;

  /**
   * The newest value of a column.
   *
   * @param value null when there is none
   * @param version the position of the commit that wrote it; 0 when none of the group has
   */
  record Value(@Nullable Bytes value, long version) {}

  private static final class CachedRow {
    final SortedMap<ColumnName, Value> columns = new TreeMap<>();
    final Map<String, Boolean> families = new HashMap<>();
    long version;
  }

  @Nullable Value get(Row row, ColumnName column) {
    CachedRow cached = rows.get(row);
    if (cached == null) {
      return null;
    }
    Value value = cached.columns.get(column);
    if (value == null && cached.families.containsKey(column.family())) {
      return new Value(null, 0);
    }
    return value;
  }

  /** The position of the last commit that wrote the row; 0 when none has. */
  long rowVersion(Row row) {
    CachedRow cached = rows.get(row);
    return cached == null ? 0 : cached.version;
  }

  boolean hasFamily(Row row, String family) {
    CachedRow cached = rows.get(row);
    return cached != null && cached.families.containsKey(family);
  }

  /** All values of a family that is cached whole. */
  void family(Row row, String family, Map<ColumnName, Bytes> to) {
    CachedRow cached = rows.get(row);
    if (cached != null) {
      cached.columns.forEach(
          (column, value) -> {
            if (column.family().equals(family) && value.value != null) {
              to.put(column, value.value);
            }
          });
    }
  }

  /** Adds a value read from the store, unless the cache has one already: that one is newer. */
  void loaded(Row row, ColumnName column, @Nullable Bytes value) {
    putIfAbsent(of(row), column, value);
  }

  /** A whole family of a row, as the store has it. */
  void loadedFamily(Row row, String family, Map<ColumnName, Bytes> values) {
    CachedRow cached = of(row);
    values.forEach((column, value) -> putIfAbsent(cached, column, value));
    cached.families.put(family, true);
  }

  void apply(LogEntry entry) {
    for (LogEntry.Write write : entry.writes()) {
      CachedRow cached = of(write.row());
      Value before = cached.columns.put(write.column(), new Value(write.value(), entry.position()));
      cached.version = entry.position();
      long gone = before == null ? 0 : size(write.column(), before.value);
      grow(size(write.column(), write.value()) - gone);
    }
  }

  private void putIfAbsent(CachedRow cached, ColumnName column, @Nullable Bytes value) {
    if (cached.columns.putIfAbsent(column, new Value(value, 0)) == null) {
      grow(size(column, value));
    }
  }

  /** By how many bytes more is held after these were written. */
  long growth(List<LogEntry.Write> writes) {
    long more = size(writes);
    for (LogEntry.Write write : writes) {
      CachedRow cached = rows.get(write.row());
      Value before = cached == null ? null : cached.columns.get(write.column());
      more -= before == null ? 0 : size(write.column(), before.value);
    }
    return more;
  }

  static long size(List<LogEntry.Write> writes) {
    long size = 0;
    for (LogEntry.Write write : writes) {
      size += size(write.column(), write.value());
    }
    return size;
  }

  private static long size(ColumnName column, @Nullable Bytes value) {
    return OVERHEAD + column.qualifier().length() + (value == null ? 0 : value.length());
  }

  private void grow(long more) {
    bytes += more;
    if (memory != null) {
      memory.add(more);
    }
  }

  /** Counts the held values in a memory from now on; null: in none. */
  void countIn(@Nullable GroupMemory other) {
    if (memory != null) {
      memory.add(-bytes);
    }
    memory = other;
    if (other != null) {
      other.add(bytes);
    }
  }

  private CachedRow of(Row row) {
    return rows.computeIfAbsent(row, r -> new CachedRow());
  }
}
