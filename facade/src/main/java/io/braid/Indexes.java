package io.braid;

import io.braid.IndexRegistry.Entry;
import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Names;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Secondary indexes: built while writers go on, kept in step by every transaction, asked at any
 * snapshot. An index belongs to the protocol of its table.
 */
public final class Indexes {
  private final CellStore store;
  private final TableBindings bindings;
  private final IndexRegistry registry;
  private final BoundTransactions transactions;
  private final IndexBuild build;

  Indexes(
      CellStore store,
      TableBindings bindings,
      IndexRegistry registry,
      BoundTransactions transactions,
      IndexBuild build) {
    this.store = store;
    this.bindings = bindings;
    this.registry = registry;
    this.transactions = transactions;
    this.build = build;
  }

  /**
   * Creates an index, or goes on with one whose creation was broken off; returns when it is ready.
   *
   * @param name of the index; that of a table that does not exist
   * @param progress hears how many rows were looked at
   * @throws DuplicateValueException when a unique index cannot be one; it is removed
   * @throws IllegalArgumentException when a value is too long for an index; it is removed
   */
  public Index create(
      String name, String table, ColumnName column, boolean unique, LongConsumer progress) {
    Entry entry = registry.entry(Names.table(name)).orElse(null);
    if (entry == null) {
      entry = define(new Index(name, table, column, unique, false));
    } else if (!isSame(entry.index(), table, column, unique)) {
      throw new IllegalArgumentException(
          "There is another index " + name + ", of " + entry.index().table() + ".");
    }
    if (!entry.index().ready()) {
      try {
        build.run(entry, progress);
      } catch (DuplicateValueException | IndexRegistry.TooLongException e) {
        drop(name);
        throw e;
      }
    }
    return registry.entry(name).orElseThrow().index();
  }

  private static boolean isSame(Index index, String table, ColumnName column, boolean unique) {
    return index.table().equals(table) && index.column().equals(column) && index.unique() == unique;
  }

  private Entry define(Index index) {
    if (store.table(index.table()).filter(t -> t.has(index.column().family())).isEmpty()) {
      throw new IllegalArgumentException(
          "There is no family " + index.column().family() + " in table " + index.table() + ".");
    }
    if (store.table(index.name()).isPresent()) {
      throw new IllegalArgumentException(
          "There is a table " + index.name() + ": choose another name for the index.");
    }
    bindings.bind(index.name(), bindings.of(index.table()));
    store.ensureTable(Families.transactional(index.name(), List.of(IndexUpdates.FAMILY)));
    Entry entry = new Entry(index, 0, Bytes.EMPTY);
    registry.put(entry);
    return entry;
  }

  /** Removes an index; false when there is none. */
  public boolean drop(String name) {
    Entry entry = registry.entry(name).orElse(null);
    if (entry == null) {
      return false;
    }
    registry.remove(name);
    build.unpin(name);
    // Transactions that still write its rows are refused, and run again without.
    String table = entry.index().table();
    if (store.table(table).isPresent()) {
      store.raiseEpoch(table, store.epoch(table) + 1);
      transactions.learn(table);
    }
    transactions.dropTable(store, name);
    bindings.unbind(name);
    return true;
  }

  /** All indexes, in the order of their names. */
  public List<Index> all() {
    return registry.all().stream().map(Entry::index).toList();
  }

  /** The index of a column; the caller asks with what {@link #all} told otherwise. */
  public Index of(String table, ColumnName column) {
    return registry.of(table).stream()
        .filter(index -> index.column().equals(column))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "Column " + column + " of table " + table + " has no index: create one."));
  }

  /** The rows whose column has a value, at a snapshot or in a transaction. */
  public <T> List<Row> find(Snapshot reads, String table, Column<T> column, T value) {
    Bytes bytes = column.codec().encode(value);
    return rows(reads, of(table, column.name()), KeyRange.prefix(IndexKeys.prefix(bytes)), -1);
  }

  /**
   * The rows whose column has a value in a range, in the order of the values' bytes.
   *
   * @param from the lowest value; null for none
   * @param to the value before which it ends; null for none
   * @param limit how many rows at most; negative for all
   */
  public <T> List<Row> range(
      Snapshot reads,
      String table,
      Column<T> column,
      @Nullable T from,
      @Nullable T to,
      long limit) {
    Bytes first = from == null ? null : column.codec().encode(from);
    Bytes last = to == null ? null : column.codec().encode(to);
    return rows(reads, of(table, column.name()), IndexKeys.range(first, last), limit);
  }

  private List<Row> rows(Snapshot reads, Index index, KeyRange range, long limit) {
    if (!index.ready()) {
      throw new IllegalArgumentException(
          "Index " + index.name() + " is being built: create it again to go on.");
    }
    requireBegun(reads, index);
    List<Row> rows = new ArrayList<>();
    Scan scan = Scan.of(index.name()).range(range).column(IndexUpdates.ROW);
    try (RowCursor cursor = reads.scan(limit < 0 ? scan : scan.limit(limit))) {
      while (cursor.hasNext()) {
        rows.add(Row.of(index.table(), cursor.next().get(IndexUpdates.ROW).orElseThrow()));
      }
    }
    return rows;
  }

  /** What was written before the fence, and changed since, is not in the index as it was. */
  private void requireBegun(Snapshot reads, Index index) {
    long fence = registry.entry(index.name()).map(Entry::fence).orElse(0L);
    if (reads.timestamp() < fence) {
      throw new IllegalArgumentException(
          "Index "
              + index.name()
              + " begins at "
              + fence
              + ", and the snapshot is of "
              + reads.timestamp()
              + ": use one from then on, or scan the table.");
    }
  }
}
