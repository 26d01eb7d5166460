package io.braid.store.rocksdb.writes;

import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import io.braid.core.store.TableSchema.Kind;
import io.braid.store.rocksdb.concurrency.RowLocks;
import io.braid.store.rocksdb.concurrency.StoreClock;
import io.braid.store.rocksdb.engine.Keys;
import io.braid.store.rocksdb.reads.CellReads;
import io.braid.store.rocksdb.reads.NewestCells;
import io.braid.store.rocksdb.reads.VersionBounds;
import io.braid.store.rocksdb.tables.Family;
import io.braid.store.rocksdb.tables.PresenceFilter;
import io.braid.store.rocksdb.tables.Table;
import io.braid.store.rocksdb.tables.WrittenRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes that take effect together, gathered under the locks of their rows: the bytes for RocksDB,
 * the changes of the presence filters, and the versions drawn for them.
 *
 * <p>Until the batch is applied, the rows are as RocksDB has them, because no procedure runs on a
 * row that the batch changes ({@link #touches}). So the batch can look up whether a sparse cell was
 * there before. The last write to the cell tells whether it is there afterwards.
 */
final class Batch {
  /** A cell of a sparse family: whether it is there now, and whether it will be. */
  private static final class Presence {
    private final PresenceFilter filter;
    private final Bytes row;
    private final boolean before;
    private boolean after;
    // Null when nothing was put.
    private @Nullable Bytes value;

    Presence(PresenceFilter filter, Bytes row, boolean before) {
      this.filter = filter;
      this.row = row;
      this.before = before;
      this.after = before;
    }
  }

  private record SparseKey(Family family, Bytes key) {}

  /** A cell of an ordinary family that was put, or removed when the value is null. */
  private record Change(
      Family family, Bytes row, Bytes qualifier, byte[] key, long version, @Nullable Bytes value) {}

  private static final long[] NONE_DRAWN = {};

  private final CellReads cells;
  private final BatchBytes bytes = new BatchBytes();
  private final List<Change> changes = new ArrayList<>(2);
  private @Nullable Row onlyRow;
  // Null while the batch changes one row only, as most do.
  private @Nullable Set<Row> rows;
  private @Nullable Map<SparseKey, Presence> sparse;
  private long[] drawn = NONE_DRAWN;
  private int drawnCount;
  private long highest;

  Batch(CellReads cells) {
    this.cells = cells;
  }

  void put(Table table, Family family, Row row, Bytes qualifier, long version, Bytes value) {
    byte[] key = Keys.cell(row.key(), qualifier, version);
    add(row);
    note(family, row.key(), key, value);
    bytes.put(family.handle, family.id, key, value);
    if (family.kind == Kind.DATA) {
      changes.add(new Change(family, row.key(), qualifier, key, version, value));
      highest = Math.max(highest, version);
      WrittenRows written = table.writtenRows;
      if (written != null) {
        written.note(row.key());
      }
    }
    table.written.add(key.length + value.length());
  }

  void delete(Family family, Row row, Bytes qualifier, long version) {
    byte[] key = Keys.cell(row.key(), qualifier, family.veils.stored(version));
    add(row);
    if (!note(family, row.key(), key, null)) {
      return;
    }
    bytes.delete(family.handle, family.id, key);
    if (family.kind == Kind.DATA) {
      changes.add(new Change(family, row.key(), qualifier, key, version, null));
    }
  }

  private void add(Row row) {
    Row only = onlyRow;
    if (only == null) {
      onlyRow = row;
    } else if (rows != null) {
      rows.add(row);
    } else if (!only.equals(row)) {
      rows = new HashSet<>();
      rows.add(only);
      rows.add(row);
    }
  }

  /** The cell of a sparse family was just read: saves looking again. */
  void saw(Family family, Bytes row, Bytes qualifier, long version) {
    if (family.filter != null) {
      saw(family, row, Bytes.wrap(Keys.cell(row, qualifier, family.veils.stored(version))));
    }
  }

  /** Does the same as {@link #saw(Family, Bytes, Bytes, long)}, by the key of the cell. */
  void saw(Family family, Bytes row, Bytes key) {
    PresenceFilter filter = family.filter;
    if (filter != null) {
      sparse().putIfAbsent(new SparseKey(family, key), new Presence(filter, row, true));
    }
  }

  /**
   * Notes that a cell will be there, or not; false when it is not there already.
   *
   * @param value null when it is removed
   */
  private boolean note(Family family, Bytes row, byte[] key, @Nullable Bytes value) {
    PresenceFilter filter = family.filter;
    if (filter == null) {
      return true;
    }
    Presence presence =
        sparse()
            .computeIfAbsent(
                new SparseKey(family, Bytes.wrap(key)),
                k -> new Presence(filter, row, isThere(filter, row, k)));
    boolean changes = value != null || presence.after;
    presence.after = value != null;
    presence.value = value;
    return changes;
  }

  private boolean isThere(PresenceFilter filter, Bytes row, SparseKey key) {
    return filter.mayHave(row)
        && (filter.remembers(key.key) || cells.get(key.family, key.key.toArray()) != null);
  }

  private Map<SparseKey, Presence> sparse() {
    Map<SparseKey, Presence> noted = sparse;
    if (noted == null) {
      noted = new HashMap<>();
      sparse = noted;
    }
    return noted;
  }

  void drew(long version) {
    if (drawnCount == drawn.length) {
      drawn = Arrays.copyOf(drawn, Math.max(1, 2 * drawnCount));
    }
    drawn[drawnCount++] = version;
  }

  /** Gives the drawn versions back. */
  void settle(StoreClock clock) {
    for (int i = 0; i < drawnCount; i++) {
      clock.settle(drawn[i]);
    }
  }

  /** Whether the batch changes one of the rows. */
  boolean touches(List<Row> others) {
    if (onlyRow == null) {
      return false;
    }
    for (Row row : others) {
      if (rows != null ? rows.contains(row) : onlyRow.equals(row)) {
        return true;
      }
    }
    return false;
  }

  /** The stripes of the rows that it changes. */
  int[] stripes() {
    if (rows != null) {
      return RowLocks.stripes(rows);
    }
    Row only = onlyRow;
    return only == null ? new int[0] : new int[] {RowLocks.stripe(only)};
  }

  /** The highest version that is put into an ordinary family; 0 when none is. */
  long highest() {
    return highest;
  }

  boolean isEmpty() {
    return bytes.isEmpty();
  }

  BatchBytes bytes() {
    return bytes;
  }

  /** Raises the bounds of the columns that get new versions; before these can be seen. */
  void raise(VersionBounds bounds) {
    for (Change change : changes) {
      if (change.value != null) {
        bounds.raise(change.family, change.row, change.qualifier, change.version);
      }
    }
  }

  /** Brings what is remembered of the columns up to date. */
  void tell(NewestCells newest) {
    for (Change change : changes) {
      Bytes value = change.value;
      if (value == null) {
        newest.remove(change.family, change.row, change.qualifier, change.key, change.version);
      } else {
        newest.put(change.family, change.row, change.qualifier, change.key, change.version, value);
      }
    }
  }

  /** Counts the new sparse cells; before they can be seen. */
  void countUp() {
    if (sparse != null) {
      for (Presence presence : sparse.values()) {
        if (presence.after && !presence.before) {
          presence.filter.up(presence.row);
        }
      }
    }
  }

  /**
   * Counts the removed sparse cells; once they cannot be seen any more. Remembers those that are
   * there now.
   */
  void countDown() {
    if (sparse != null) {
      sparse.forEach(
          (key, presence) -> {
            Bytes value = presence.value;
            if (value != null) {
              presence.filter.remember(key.key, value);
            } else if (presence.after) {
              presence.filter.remember(key.key);
            } else {
              presence.filter.forget(key.key);
            }
            if (presence.before && !presence.after) {
              presence.filter.down(presence.row);
            }
          });
    }
  }
}
