package io.braid.store.rocksdb;

import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import io.braid.core.store.TableSchema.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes that take effect together, gathered under the locks of their rows: the bytes for RocksDB,
 * what changes in the presence filters, and the versions drawn for them.
 *
 * <p>The rows are as RocksDB has them until the batch is applied, for nobody runs on a row that the
 * batch changes ({@link #touches}). So whether a sparse cell was there before can be looked up, and
 * the last write to it tells whether it is there afterwards.
 */
final class Batch {
  /** A cell of a sparse family: whether it is there now, and whether it will be. */
  private static final class Presence {
    private final PresenceFilter filter;
    private final Bytes row;
    private final boolean before;
    private boolean after;

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

  private final CellReads cells;
  private final BatchBytes bytes = new BatchBytes();
  private final Set<Row> rows = new HashSet<>();
  private final Map<SparseKey, Presence> sparse = new HashMap<>();
  private final List<Change> changes = new ArrayList<>();
  private final List<Long> drawn = new ArrayList<>(0);

  Batch(CellReads cells) {
    this.cells = cells;
  }

  void put(Table table, Family family, Row row, Bytes qualifier, long version, Bytes value) {
    byte[] key = Keys.cell(row.key(), qualifier, version);
    rows.add(row);
    note(family, row.key(), key, true);
    bytes.put(family, key, value);
    if (family.kind == Kind.DATA) {
      changes.add(new Change(family, row.key(), qualifier, key, version, value));
    }
    table.written.add(key.length + value.length());
  }

  void delete(Family family, Row row, Bytes qualifier, long version) {
    byte[] key = Keys.cell(row.key(), qualifier, version);
    rows.add(row);
    if (!note(family, row.key(), key, false)) {
      return;
    }
    bytes.delete(family, key);
    if (family.kind == Kind.DATA) {
      changes.add(new Change(family, row.key(), qualifier, key, version, null));
    }
  }

  /** The cell of a sparse family was just read: saves looking again. */
  void saw(Family family, Bytes row, Bytes qualifier, long version) {
    PresenceFilter filter = family.filter;
    if (filter != null) {
      SparseKey key = new SparseKey(family, Bytes.wrap(Keys.cell(row, qualifier, version)));
      sparse.putIfAbsent(key, new Presence(filter, row, true));
    }
  }

  /** Notes that a cell will be there, or not; false when it is so already. */
  private boolean note(Family family, Bytes row, byte[] key, boolean present) {
    PresenceFilter filter = family.filter;
    if (filter == null) {
      return true;
    }
    Presence presence =
        sparse.computeIfAbsent(
            new SparseKey(family, Bytes.wrap(key)),
            k -> new Presence(filter, row, filter.mayHave(row) && cells.get(family, key) != null));
    boolean changes = present || presence.after;
    presence.after = present;
    return changes;
  }

  void drew(long version) {
    drawn.add(version);
  }

  List<Long> drawn() {
    return drawn;
  }

  /** Whether the batch changes one of the rows. */
  boolean touches(List<Row> others) {
    if (rows.isEmpty()) {
      return false;
    }
    for (Row row : others) {
      if (rows.contains(row)) {
        return true;
      }
    }
    return false;
  }

  Set<Row> rows() {
    return rows;
  }

  boolean isEmpty() {
    return bytes.isEmpty();
  }

  int length() {
    return bytes.length();
  }

  byte[] toArray() {
    return bytes.toArray();
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
    for (Presence presence : sparse.values()) {
      if (presence.after && !presence.before) {
        presence.filter.up(presence.row);
      }
    }
  }

  /** Counts the removed sparse cells; once they cannot be seen any more. */
  void countDown() {
    for (Presence presence : sparse.values()) {
      if (presence.before && !presence.after) {
        presence.filter.down(presence.row);
      }
    }
  }
}
