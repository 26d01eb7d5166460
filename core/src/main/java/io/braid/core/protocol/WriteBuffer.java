package io.braid.core.protocol;

import io.braid.core.cells.CellWrite;
import io.braid.core.cells.HoldPass;
import io.braid.core.cells.Intent;
import io.braid.core.cells.RowMutation;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.Limits;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The writes of a transaction before its commit, in the order of rows and columns. Safe for many
 * threads until the commit.
 */
public final class WriteBuffer {
  /** Memory of a cell besides its key and value in bytes, roughly. */
  private static final int CELL_BYTES = 160;

  private final Limits limits;
  private final long most;
  private final int smallValueBytes;
  private final NavigableMap<Row, NavigableMap<ColumnName, CellWrite>> cells = new TreeMap<>();
  private final NavigableMap<Row, NavigableSet<ColumnName>> weak = new TreeMap<>();
  private long bytes;
  private long held;

  /** Makes a buffer for a transaction that is held in memory until it commits. */
  public WriteBuffer(Limits limits, int smallValueBytes) {
    this(limits, limits.transactionBytes(), smallValueBytes);
  }

  private WriteBuffer(Limits limits, long most, int smallValueBytes) {
    this.limits = limits;
    this.most = most;
    this.smallValueBytes = smallValueBytes;
  }

  /** Makes a buffer for a transaction that empties it whenever it {@link #isFull}. */
  public static WriteBuffer emptied(Limits limits, int smallValueBytes) {
    return new WriteBuffer(limits, limits.totalBytes(), smallValueBytes);
  }

  /** Makes an empty buffer with the same limits. */
  WriteBuffer alike() {
    return new WriteBuffer(limits, most, smallValueBytes);
  }

  /** Returns whether the buffer holds more than it should, for a transaction that may be larger. */
  public synchronized boolean isFull() {
    return limits.streams() && held > limits.transactionBytes();
  }

  /** Forgets the writes, which are stored elsewhere now; their size still counts. */
  public synchronized void empty() {
    cells.clear();
    weak.clear();
    held = 0;
  }

  public synchronized boolean isEmpty() {
    return cells.isEmpty() && weak.isEmpty();
  }

  public synchronized void set(Row row, ColumnName column, Bytes value) {
    limits.requireValue(row, column, value);
    put(row, CellWrite.put(column, value, smallValueBytes));
  }

  public synchronized void delete(Row row, ColumnName column) {
    put(row, CellWrite.delete(column));
  }

  /** Locks a column. Does nothing where there is a write already: a write conflicts as much. */
  public synchronized void lock(Row row, ColumnName column) {
    if (at(row, column) == null) {
      put(row, new CellWrite(column, Intent.Kind.LOCK, Bytes.EMPTY, false));
    }
  }

  public synchronized void notifyWeakly(Row row, ColumnName column) {
    if (at(row, column) != null) {
      throw written(row, column);
    }
    NavigableSet<ColumnName> columns = weak.get(row);
    if (columns == null || !columns.contains(column)) {
      account(row, column, size(row, column));
      held += CELL_BYTES;
      weak.computeIfAbsent(row, r -> new TreeSet<>()).add(column);
    }
  }

  /** The write of a column; null when there is none. */
  public synchronized @Nullable CellWrite at(Row row, ColumnName column) {
    Map<ColumnName, CellWrite> columns = cells.get(row);
    return columns == null ? null : columns.get(column);
  }

  /** The writes of a row as they are now. */
  public synchronized SortedMap<ColumnName, CellWrite> at(Row row) {
    SortedMap<ColumnName, CellWrite> columns = cells.get(row);
    return columns == null ? Collections.emptySortedMap() : new TreeMap<>(columns);
  }

  /** Takes over a write of another buffer, which has accounted for it. */
  synchronized void take(Row row, CellWrite write) {
    cells.computeIfAbsent(row, r -> new TreeMap<>()).put(write.column(), write);
  }

  /** Returns all cells. For the commit, after the last write. */
  public NavigableMap<Row, NavigableMap<ColumnName, CellWrite>> cells() {
    return cells;
  }

  /**
   * Returns one mutation for each row: first the rows with cells, then those that are only notified
   * weakly. The list may be changed. For the commit, after the last write.
   *
   * @param pass of the key group on whose behalf it is done
   * @param epochOf the epoch of a table as the transaction knows it
   */
  public List<RowMutation> mutations(
      HoldPass pass, ToLongFunction<String> epochOf, ChangeSink sink) {
    List<RowMutation> mutations = new ArrayList<>(cells.size() + weak.size());
    cells.forEach(
        (row, columns) ->
            mutations.add(
                new RowMutation(
                    row,
                    epochOf.applyAsLong(row.table()),
                    RowMutation.passFor(columns.values(), pass),
                    observed(row, columns.values(), sink),
                    weakIn(row))));
    for (Row row : weak.keySet()) {
      if (!cells.containsKey(row)) {
        long epoch = epochOf.applyAsLong(row.table());
        mutations.add(new RowMutation(row, epoch, pass, List.of(), weakIn(row)));
      }
    }
    return mutations;
  }

  private List<ColumnName> weakIn(Row row) {
    return List.copyOf(weak.getOrDefault(row, Collections.emptyNavigableSet()));
  }

  private static List<CellWrite> observed(Row row, Collection<CellWrite> cells, ChangeSink sink) {
    List<CellWrite> marked = new ArrayList<>(cells.size());
    for (CellWrite cell : cells) {
      boolean observed =
          cell.kind() != Intent.Kind.LOCK && sink.isObserved(row.table(), cell.column());
      marked.add(observed ? new CellWrite(cell.column(), cell.kind(), cell.value(), true) : cell);
    }
    return marked;
  }

  /** All columns that are written or notified. */
  public synchronized void forEachCell(BiConsumer<Row, ColumnName> consumer) {
    cells.forEach((row, columns) -> columns.keySet().forEach(c -> consumer.accept(row, c)));
    weak.forEach((row, columns) -> columns.forEach(c -> consumer.accept(row, c)));
  }

  /** The first row with writes in a range, at or after a key or strictly after it. */
  public synchronized @Nullable Row next(
      String table, KeyRange range, Bytes from, boolean inclusive) {
    Row at = Row.of(table, from);
    Row next = inclusive ? cells.ceilingKey(at) : cells.higherKey(at);
    return next != null && next.table().equals(table) && range.contains(next.key()) ? next : null;
  }

  private void put(Row row, CellWrite write) {
    NavigableSet<ColumnName> notified = weak.get(row);
    if (notified != null && notified.contains(write.column())) {
      throw written(row, write.column());
    }
    CellWrite before = at(row, write.column());
    long more =
        before == null
            ? size(row, write.column()) + write.value().length()
            : write.value().length() - before.value().length();
    account(row, write.column(), more);
    held += before == null ? CELL_BYTES : 0;
    cells.computeIfAbsent(row, r -> new TreeMap<>()).put(write.column(), write);
  }

  private static long size(Row row, ColumnName column) {
    return row.key().length() + column.qualifier().length();
  }

  private void account(Row row, ColumnName column, long more) {
    limits.requireKeys(row, column);
    Limits.requireRoom(bytes + more, most, row, column);
    bytes += more;
    held += more;
  }

  private static IllegalArgumentException written(Row row, ColumnName column) {
    return new IllegalArgumentException(
        row + "/" + column + " is either written or notified weakly, never both.");
  }
}
