package io.braid;

import io.braid.IndexRegistry.Entry;
import io.braid.IndexRegistry.State;
import io.braid.IndexRows.Part;
import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Names;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.RowWrite.Removal;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.store.UnknownTableException;
import io.braid.core.store.Veils;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Snapshot;
import io.braid.percolator.garbage.CollectionReport;
import io.braid.percolator.garbage.CollectionRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Secondary indexes: built while writers go on, kept in step by every transaction, asked at any
 * snapshot. An index belongs to the protocol of its table.
 */
public final class Indexes {
  private static final int BATCH = 500;
  private static final int ATTEMPTS = 5;
  private static final long ALL = Long.MAX_VALUE;

  private final CellStore store;
  private final TableBindings bindings;
  private final IndexRegistry registry;
  private final BoundTransactions transactions;
  private final IndexBuild build;
  private final IndexMove move;
  private final TableFence fence;
  private final TimestampOracle oracle;
  private final TableLocks locks;

  Indexes(
      CellStore store,
      TableBindings bindings,
      IndexRegistry registry,
      BoundTransactions transactions,
      IndexBuild build,
      IndexMove move,
      TableFence fence,
      TimestampOracle oracle,
      TableLocks locks) {
    this.locks = locks;
    this.store = store;
    this.bindings = bindings;
    this.registry = registry;
    this.transactions = transactions;
    this.build = build;
    this.move = move;
    this.fence = fence;
    this.oracle = oracle;
  }

  /**
   * Creates an index, or goes on with one whose creation was broken off; returns when it is ready.
   *
   * @param name of the index; that of a table that does not exist
   * @param progress hears how many rows were looked at
   * @throws DuplicateValueException when a unique index cannot be one; it is removed
   * @throws IllegalArgumentException when there is no such table or family, or the name is taken;
   *     or when a value is too long for an index, which is removed then
   */
  public Index create(
      String name, String table, ColumnName column, Index.Kind kind, LongConsumer progress) {
    Index index = new Index(Names.table(name), Names.table(table), column, kind, false);
    return locks.holding(table, () -> createAlone(index, progress));
  }

  private Index createAlone(Index index, LongConsumer progress) {
    String name = index.name();
    bindings.lookAgain();
    registry.lookAgain();
    Entry entry = registry.entry(name).orElse(null);
    if (entry == null) {
      entry = define(index);
    } else if (!isSame(entry.index(), index)) {
      throw new IllegalArgumentException(
          "There is another index " + name + ", of " + entry.index().table() + ".");
    }
    if (entry.state() == State.DROPPING) {
      throw new IllegalArgumentException(
          "Index " + name + " is being dropped: drop it again to go on, then create it.");
    }
    if (entry.state() == State.BUILDING) {
      try {
        build.run(entry, progress);
      } catch (DuplicateValueException | IndexRegistry.TooLongException e) {
        dropAlone(name);
        throw e;
      }
    }
    return registry.entry(name).orElseThrow().index();
  }

  private static boolean isSame(Index one, Index other) {
    return one.table().equals(other.table())
        && one.column().equals(other.column())
        && one.kind() == other.kind();
  }

  private Entry define(Index index) {
    if (registry.isIndex(index.table())) {
      throw new IllegalArgumentException(
          "Table " + index.table() + " is an index: name a column of the table that it is of.");
    }
    if (store.table(index.table()).filter(t -> t.has(index.column().family())).isEmpty()) {
      throw new IllegalArgumentException(
          "There is no family " + index.column().family() + " in table " + index.table() + ".");
    }
    if (store.table(index.name()).isPresent()) {
      throw new IllegalArgumentException(
          "There is a table " + index.name() + ": choose another name for the index.");
    }
    Entry entry;
    if (index.isLocal()) {
      store.ensureTable(Families.indexed(index.table()));
      entry = Entry.of(index, oracle.next(), starts(index.table()));
    } else {
      bindings.bind(index.name(), bindings.of(index.table()));
      store.ensureTable(
          Families.transactional(index.name(), List.of()).merge(Families.indexed(index.name())));
      entry = Entry.of(index, oracle.next(), List.of());
    }
    registry.put(entry);
    return entry;
  }

  /** Where the tablets of a table begin; the first at the lowest key. */
  private List<Bytes> starts(String table) {
    Set<Bytes> starts = new TreeSet<>();
    starts.add(Bytes.EMPTY);
    store.tablets(table).forEach(tablet -> starts.add(tablet.range().start()));
    return List.copyOf(starts);
  }

  /**
   * Removes the index rows that loads have left and that lead nowhere, as far as no snapshot needs
   * them: raises the low watermark, as a collection of garbage does.
   *
   * @param keep every snapshot of the last so much time stays readable
   * @return how many were removed
   * @throws IllegalArgumentException when there is no such index that is ready
   * @throws io.braid.core.store.StoreException when garbage is being collected at the same time
   */
  public long sweep(String name, Duration keep) {
    String table = swept(name).index().table();
    // Its parts may move until the lock is held: by what they were, rows would seem to lead
    // nowhere.
    return locks.holding(table, () -> sweepAlone(swept(name), keep));
  }

  private Entry swept(String name) {
    registry.lookAgain();
    return registry
        .entry(name)
        .filter(each -> each.index().ready())
        .orElseThrow(
            () -> new IllegalArgumentException("There is no index " + name + " to be swept."));
  }

  private long sweepAlone(Entry entry, Duration keep) {
    if (!entry.checked()) {
      return 0;
    }
    String table = entry.rows().parts().get(0).table();
    CollectionReport report =
        transactions
            .percolator()
            .collector()
            .collect(CollectionRequest.keep(keep).table(table), each -> {}, () -> false)
            .orElseThrow(
                () ->
                    new StoreException(
                        "Garbage is being collected now: sweep the index when that is done."));
    try (Snapshot now = transactions.snapshotAt(report.watermark())) {
      return new IndexSweep(store, now, entry).run();
    }
  }

  /**
   * Has the parts of a local index follow the tablets of its table, which were split or merged
   * since, while writers go on; or goes on with that when it was broken off. Transactions that have
   * begun and write the table are run again, twice at most.
   *
   * @param progress hears how many index rows were moved
   * @throws IllegalArgumentException when there is no such index, it is not local, or not ready
   */
  public Index follow(String name, LongConsumer progress) {
    registry.lookAgain();
    return locks.holding(local(name).index().table(), () -> followAlone(name, progress));
  }

  private Index followAlone(String name, LongConsumer progress) {
    registry.lookAgain();
    move.run(local(name), progress);
    return local(name).index();
  }

  private Entry local(String name) {
    Entry entry =
        registry
            .entry(name)
            .orElseThrow(() -> new IllegalArgumentException("There is no index " + name + "."));
    if (!entry.index().isLocal()) {
      throw new IllegalArgumentException(
          "Index " + name + " is a table of its own, which is split by itself: leave it as it is.");
    }
    if (!entry.index().ready()) {
      throw new IllegalArgumentException(
          "Index " + name + " is not ready: create it, or drop it, again to go on.");
    }
    return entry;
  }

  /**
   * As {@link #follow}, for all local indexes whose table has twice as many tablets as they have
   * parts, or half as many; and goes on with what was broken off. So an index row moves about once
   * for each doubling. Not while a load waits to be lifted, which would have to be made again.
   */
  void followAll() {
    registry.lookAgain();
    for (Entry entry : registry.all()) {
      if (entry.index().isLocal() && entry.index().ready() && isBehind(entry)) {
        follow(entry.index().name(), moved -> {});
      }
    }
  }

  private boolean isBehind(Entry entry) {
    if (entry.state() != State.READY) {
      return true;
    }
    if (store.veils(entry.index().table()).all().stream().anyMatch(Veils.Veil::isDown)) {
      return false;
    }
    int wanted = move.wanted(entry).size();
    int parts = entry.starts().size();
    return wanted >= 2 * parts || 2 * wanted <= parts;
  }

  /** Removes an index, or goes on with a removal that was broken off; false when there is none. */
  public boolean drop(String name) {
    registry.lookAgain();
    return registry
        .entry(name)
        .map(entry -> locks.holding(entry.index().table(), () -> dropAlone(name)))
        .orElse(false);
  }

  private boolean dropAlone(String name) {
    registry.lookAgain();
    Entry entry = registry.entry(name).orElse(null);
    if (entry == null) {
      return false;
    }
    beginDrop(name);
    // Transactions that still write its rows are refused, and run again without.
    String table = entry.index().table();
    if (entry.index().isLocal()) {
      if (store.table(table).isPresent()) {
        fence.set(table);
        entry.rows().parts().forEach(this::clear);
        entry.otherRows().parts().forEach(this::clear);
      }
    } else {
      if (store.table(table).isPresent()) {
        store.raiseEpoch(table, store.epoch(table) + 1);
        transactions.learn(table);
      }
      transactions.dropTable(store, name);
      bindings.unbind(name);
    }
    registry.remove(name);
    return true;
  }

  /** From now on nobody who begins reads or writes it. */
  void beginDrop(String name) {
    registry.update(name, each -> each.as(State.DROPPING));
    build.unpin(name);
  }

  /** Where an index stands. */
  IndexRows rows(String name) {
    return registry.entry(name).orElseThrow().rows();
  }

  /** Removes all cells of a part that nobody reads or writes any more. */
  private void clear(Part part) {
    ColumnName column = part.column().name();
    KeyRange range = KeyRange.prefix(part.prefix());
    ScanRequest request =
        ScanRequest.of(
            part.table(),
            range,
            Selection.column(column),
            Selection.column(Families.large(column)));
    List<RowWrite> batch = new ArrayList<>(BATCH);
    try (RowScanner scanner = store.scan(request)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        List<Removal> removals = new ArrayList<>(row.cells().size());
        row.cells().forEach(cell -> removals.add(new Removal(cell.column(), cell.version())));
        batch.add(new RowWrite(row.row(), List.of(), removals));
        if (batch.size() == BATCH) {
          write(batch);
          batch.clear();
        }
      }
    }
    write(batch);
    store.reclaim(part.table(), range);
  }

  private void write(List<RowWrite> batch) {
    for (Outcome<Void> outcome : store.write(batch, Durability.SYNCED)) {
      if (!(outcome instanceof Outcome.Done<Void>)) {
        throw new TabletUnavailableException(
            "An index row was not removed: " + outcome + ". Drop the index again to go on.");
      }
    }
  }

  /** All indexes, in the order of their names. */
  public List<Index> all() {
    registry.lookAgain();
    return registry.all().stream().map(Entry::index).toList();
  }

  /**
   * The index of a column, one that is ready if there is any.
   *
   * @throws IllegalArgumentException when there is none
   */
  public Index of(String table, ColumnName column) {
    return entry(table, column).index();
  }

  private Entry entry(String table, ColumnName column) {
    Optional<Entry> known = known(table, column);
    if (known.filter(entry -> entry.index().ready()).isEmpty()) {
      registry.lookAgain();
      known = known(table, column);
    }
    return known.orElseThrow(
        () ->
            new IllegalArgumentException(
                "Column " + column + " of table " + table + " has no index: create one."));
  }

  private Optional<Entry> known(String table, ColumnName column) {
    Entry found = null;
    for (Entry entry : registry.of(table)) {
      if (entry.index().column().equals(column) && (found == null || !found.index().ready())) {
        found = entry;
      }
    }
    return Optional.ofNullable(found);
  }

  /**
   * The rows whose column has a value, at a snapshot or in a transaction.
   *
   * @throws IllegalArgumentException when there is no index that is ready, or it was created after
   *     the snapshot
   */
  public <T> List<Row> find(Snapshot reads, String table, Column<T> column, T value) {
    Bytes bytes = column.codec().encode(value);
    return new Question(reads, table, column.name(), KeyRange.prefix(IndexKeys.prefix(bytes)), ALL)
        .rows();
  }

  /**
   * The rows whose column has a value in a range, in the order of the values' bytes, then of the
   * rows' keys.
   *
   * @param from the lowest value; null for none
   * @param to the value before which it ends; null for none
   * @param limit how many rows at most; negative for all
   * @throws IllegalArgumentException as {@link #find}
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
    return new Question(
            reads, table, column.name(), IndexKeys.range(first, last), limit < 0 ? ALL : limit)
        .rows();
  }

  /** Which rows have a value in a range. */
  private final class Question {
    private final Snapshot reads;
    private final String table;
    private final ColumnName column;
    private final KeyRange values;
    private final long limit;

    Question(Snapshot reads, String table, ColumnName column, KeyRange values, long limit) {
      this.reads = reads;
      this.table = table;
      this.column = column;
      this.values = values;
      this.limit = limit;
    }

    /**
     * An index that is dropped is written by nobody any more. So it is looked at once more after it
     * was read: if it was not dropped then, it said all.
     */
    List<Row> rows() {
      for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        Entry entry = entry(table, column);
        require(entry);
        try {
          List<Row> rows = rows(entry);
          if (registry.isCurrent(entry)) {
            return rows;
          }
        } catch (UnknownTableException e) {
          if (registry.isCurrent(entry)) {
            throw e;
          }
        }
        registry.lookAgain();
      }
      throw new TabletUnavailableException(
          "The index of column " + column + " of table " + table + " is being changed: ask again.");
    }

    private void require(Entry entry) {
      Index index = entry.index();
      if (!index.ready()) {
        throw new IllegalArgumentException(
            "Index " + index.name() + " is being built: create it again to go on.");
      }
      if (reads.timestamp() < entry.fence()) {
        throw new IllegalArgumentException(
            "Index "
                + index.name()
                + " begins at "
                + entry.fence()
                + ": it was created after the snapshot "
                + reads.timestamp()
                + ". Use one from then on, or scan the table.");
      }
    }

    private List<Row> rows(Entry entry) {
      List<Row> rows = new ArrayList<>();
      long most = entry.checked() || entry.state() == State.MOVED ? ALL : limit;
      try (IndexCursor cursor = new IndexCursor(reads, entry.rows(), values, most)) {
        while (rows.size() < limit && cursor.hasNext()) {
          if (entry.checked()) {
            rows.addAll(checked(entry, cursor, limit - rows.size()));
          } else {
            rows.add(cursor.next(table).row());
          }
        }
      }
      return rows;
    }

    /**
     * The next few that are what the index says. It holds an index row for each value of a row, and
     * some that loads have left (see {@link io.braid.batch.sink.IndexRowsAhead}).
     */
    private List<Row> checked(Entry entry, IndexCursor cursor, long most) {
      List<IndexCursor.Found> found = new ArrayList<>();
      while (found.size() < Math.min(most, BATCH) && cursor.hasNext()) {
        found.add(cursor.next(table));
      }
      Column<Bytes> indexed = new Column<>(column, IndexUpdates.AS_IS);
      Map<Row, RowValues> standing =
          reads.getAll(found.stream().map(IndexCursor.Found::row).toList(), List.of(indexed));
      List<Row> rows = new ArrayList<>(found.size());
      for (IndexCursor.Found each : found) {
        Optional<Bytes> value =
            Optional.ofNullable(standing.get(each.row())).flatMap(row -> row.get(indexed));
        if (value.filter(v -> entry.rows().at(each.row(), v).row().equals(each.at())).isPresent()) {
          rows.add(each.row());
        }
      }
      return rows;
    }
  }
}
