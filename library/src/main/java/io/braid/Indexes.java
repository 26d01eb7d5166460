package io.braid;

import io.braid.IndexEntry.State;
import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Names;
import io.braid.core.data.Row;
import io.braid.core.loads.LoadDecisions;
import io.braid.core.store.CellStore;
import io.braid.core.store.StoreException;
import io.braid.core.store.Veils;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.Snapshot;
import io.braid.groups.GroupException;
import io.braid.percolator.garbage.CollectionReport;
import io.braid.percolator.garbage.CollectionRequest;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Secondary indexes: built while writers go on, kept in step by every transaction, asked at any
 * snapshot. An index belongs to the protocol of its table. Safe for many threads.
 *
 * <pre>{@code
 * db.indexes().create("people-by-city", "people", city.name(), Index.Kind.GLOBAL, rows -> {});
 * try (Snapshot now = db.snapshot()) {
 *   List<Row> inPisa = db.indexes().find(now, "people", city, "Pisa");
 * }
 * }</pre>
 *
 * <p>Methods that change an index wait for others that change the same table, for ten minutes at
 * most, and throw {@link io.braid.core.store.TabletUnavailableException} then: call again to go on.
 * They wait for no transaction: those that have begun and write the table abort. While an atomic
 * load into the table is open they throw {@link io.braid.batch.JobException}.
 */
public final class Indexes {
  private static final long ALL = Long.MAX_VALUE;

  private final CellStore store;
  private final TableBindings bindings;
  private final IndexRegistry registry;
  private final BoundTransactions transactions;
  private final IndexDefinition definition;
  private final IndexBuild build;
  private final IndexMove move;
  private final IndexRemoval removal;
  private final TableLocks locks;
  private final Consumer<String> requireNoGroups;

  Indexes(
      CellStore store,
      TableBindings bindings,
      IndexRegistry registry,
      BoundTransactions transactions,
      IndexBuild build,
      IndexMove move,
      IndexPins pins,
      TableFence fence,
      TimestampOracle oracle,
      TableLocks locks,
      Consumer<String> requireNoGroups) {
    this.requireNoGroups = requireNoGroups;
    this.locks = locks;
    this.store = store;
    this.bindings = bindings;
    this.registry = registry;
    this.transactions = transactions;
    this.build = build;
    this.move = move;
    this.definition = new IndexDefinition(store, bindings, registry, oracle);
    this.removal = new IndexRemoval(store, bindings, registry, transactions, pins, fence);
  }

  /**
   * Creates an index, or goes on with one whose creation was broken off; returns when it is ready.
   * Transactions that have begun and write the table are run again, twice at most; once more if it
   * is unique.
   *
   * @param name of the index; that of a table that does not exist
   * @param column whose values are indexed; their order is that of their bytes
   * @param progress receives now and then how many rows were read
   * @throws DuplicateValueException when a unique index cannot be one; it is removed
   * @throws IllegalArgumentException when there is no such table or family, or the name is taken;
   *     or when a value is too long for an index, which is removed then
   * @throws io.braid.groups.GroupException when key groups have rows of the table, whose commits
   *     the index might refuse when they come to the store; the text names them
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
    IndexEntry entry = registry.entry(name).orElse(null);
    if (entry == null) {
      // Before anything is done: the fence would refuse the work in the middle.
      TableHolders.requireNoLoad(store, index.table());
      entry = definition.define(index);
      if (!index.isLocal()) {
        // The table of the index begins at an epoch of its own, which writing transactions have to
        // know.
        transactions.learn(name);
      }
    } else if (!IndexDefinition.isSame(entry.index(), index)) {
      throw new IllegalArgumentException(
          "There is another index " + name + ", of " + entry.index().table() + ".");
    }
    if (entry.state() == State.DROPPING) {
      throw new IllegalArgumentException(
          "Index " + name + " is being dropped: drop it again to go on, then create it.");
    }
    if (entry.state().isReady() && entry.state() != State.MOVING) {
      build.letGo(entry);
    }
    if (entry.state() == State.BUILDING) {
      try {
        // Groups that are formed from here on know of it.
        requireNoGroups.accept(index.table());
        build.run(entry, progress);
      } catch (DuplicateValueException | IndexRegistry.TooLongException | GroupException e) {
        removal.run(name);
        throw e;
      }
    }
    return registry.entry(name).orElseThrow().index();
  }

  /**
   * Removes the index rows that loads have left and that lead nowhere, as far as no snapshot needs
   * them: raises the low watermark, as a collection of garbage does.
   *
   * @param name of an index that is ready
   * @param keep every snapshot of the last so much time stays readable
   * @return how many were removed
   * @throws IllegalArgumentException when there is no such index that is ready
   * @throws io.braid.core.store.StoreException when garbage is being collected at the same time
   */
  public long sweep(String name, Duration keep) {
    String table = swept(name).index().table();
    // The parts may move until the lock is held: by their old places, index rows would seem to
    // point nowhere.
    return locks.holding(table, () -> sweepAlone(swept(name), keep));
  }

  private IndexEntry swept(String name) {
    registry.lookAgain();
    return registry
        .entry(name)
        .filter(each -> each.index().ready())
        .orElseThrow(
            () -> new IllegalArgumentException("There is no index " + name + " to be swept."));
  }

  private long sweepAlone(IndexEntry entry, Duration keep) {
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
    try (Snapshot now = transactions.fenced(report.watermark())) {
      return new IndexSweep(store, now, entry).run();
    }
  }

  /**
   * Has the parts of a local index follow the tablets of its table, which were split or merged
   * since, while writers go on. Continues a move that was broken off. Transactions that have begun
   * and write the table are run again, twice at most.
   *
   * @param progress receives how many index rows were moved
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

  private IndexEntry local(String name) {
    IndexEntry entry =
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
   * Does {@link #follow follow} for all local indexes whose table has twice as many tablets as they
   * have parts, or half as many. Continues moves that were broken off. So an index row moves about
   * once for each doubling. Skips a table while a load waits to be lifted: the load would have to
   * be made again.
   */
  void followAll() {
    registry.lookAgain();
    for (IndexEntry entry : registry.all()) {
      if (entry.index().isLocal() && entry.index().ready() && isBehind(entry)) {
        follow(entry.index().name(), moved -> {});
      }
    }
  }

  private boolean isBehind(IndexEntry entry) {
    if (entry.state() != State.READY) {
      return true;
    }
    String table = entry.index().table();
    if (store.veils(table).all().stream().anyMatch(Veils.Veil::isDown)
        || !LoadDecisions.open(store, table).isEmpty()) {
      return false;
    }
    int wanted = move.wanted(entry).size();
    int parts = entry.starts().size();
    return wanted >= 2 * parts || 2 * wanted <= parts;
  }

  /**
   * Removes an index and its rows, or continues a removal that was broken off; false when there is
   * none. The table stays as it is.
   */
  public boolean drop(String name) {
    registry.lookAgain();
    return registry
        .entry(name)
        .map(entry -> locks.holding(entry.index().table(), () -> removal.run(name)))
        .orElse(false);
  }

  /** The same as {@link #drop}, for a caller that holds the lock of the table. */
  void dropAlone(String name) {
    removal.run(name);
  }

  /** Begins a drop: transactions that begin from now on neither read nor write the index. */
  void beginDrop(String name) {
    removal.begin(name);
  }

  /** Returns the places of the rows of an index. */
  IndexRows rows(String name) {
    return registry.entry(name).orElseThrow().rows();
  }

  /** All indexes, in the order of their names. */
  public List<Index> all() {
    registry.lookAgain();
    return registry.all().stream().map(IndexEntry::index).toList();
  }

  /**
   * The index of a column, one that is ready if there is any. As far as this process knows; {@link
   * #all} looks again.
   *
   * @throws IllegalArgumentException when there is none
   */
  public Index of(String table, ColumnName column) {
    return registry.of(table, column).index();
  }

  /**
   * The rows whose column has a value, at a snapshot or in a transaction, in the order of their
   * keys. A transaction finds its own writes, and a lookup causes no conflict.
   *
   * @param reads a snapshot or transaction of this database, of the same thread
   * @throws IllegalArgumentException when there is no index that is ready, or it was created after
   *     the snapshot
   * @throws io.braid.core.transaction.ConflictException in a transaction that has written the table
   *     before the index was created, or moved: it cannot commit, and runs again
   * @throws io.braid.core.store.TabletUnavailableException while the index is being changed: ask
   *     again
   */
  public <T> List<Row> find(Snapshot reads, String table, Column<T> column, T value) {
    Bytes bytes = column.codec().encode(value);
    KeyRange values = KeyRange.prefix(IndexKeys.prefix(bytes));
    return new IndexQuestion(registry, reads, table, column.name(), values, ALL).rows();
  }

  /**
   * The rows whose column has a value in a range, in the order of the values' bytes, then of the
   * rows' keys.
   *
   * @param from the lowest value; null for none
   * @param to the value before which it ends; null for none
   * @param limit how many rows at most; negative for all
   * @throws IllegalArgumentException as {@link #find find}, with all else that it throws
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
    KeyRange values = IndexKeys.range(first, last);
    long most = limit < 0 ? ALL : limit;
    return new IndexQuestion(registry, reads, table, column.name(), values, most).rows();
  }
}
