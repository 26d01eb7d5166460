package io.braid.indexes;

import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Names;
import io.braid.core.data.Row;
import io.braid.core.loads.LoadDecisions;
import io.braid.core.protocol.Duty;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.StoreException;
import io.braid.core.store.Veils;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.TransactionException;
import io.braid.core.transaction.Transactions;
import io.braid.indexes.IndexEntry.State;
import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The indexes of a database: looks after their order of steps, and answers by them.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class TableIndexes implements Indexes {
  private static final long ALL = Long.MAX_VALUE;
  private static final Duration FOLLOW_EVERY = Duration.ofMinutes(1);

  private final CellStore store;
  private final IndexRegistry registry;
  private final IndexDefinition definition;
  private final IndexBuild build;
  private final IndexMove move;
  private final IndexRemoval removal;
  private final IndexedTables tables;

  /**
   * @param smallValueBytes the longest value that is kept in a commit record
   */
  public TableIndexes(
      CellStore store,
      IndexRegistry registry,
      IndexedTables tables,
      Transactions transactions,
      TimestampOracle oracle,
      int smallValueBytes) {
    this.store = store;
    this.registry = registry;
    this.tables = tables;
    IndexPins pins = new IndexPins(transactions, registry, tables);
    this.build = new IndexBuild(store, tables, registry, pins, smallValueBytes);
    this.move = new IndexMove(store, registry, tables, pins);
    this.definition = new IndexDefinition(store, tables, registry, oracle);
    this.removal = new IndexRemoval(store, registry, pins, tables);
  }

  @Override
  public Index create(
      String name, String table, ColumnName column, Index.Kind kind, LongConsumer progress) {
    Index index = new Index(Names.table(name), Names.table(table), column, kind, false);
    return tables.holding(table, () -> createAlone(index, progress));
  }

  private Index createAlone(Index index, LongConsumer progress) {
    String name = index.name();
    tables.lookAgain();
    registry.lookAgain();
    IndexEntry entry = registry.entry(name).orElse(null);
    if (entry == null) {
      // Before anything is done: the fence would refuse the work in the middle.
      tables.requireNoLoad(index.table());
      entry = definition.define(index);
      if (!index.isLocal()) {
        // The table of the index begins at an epoch of its own, which writing transactions have to
        // know.
        tables.learn(name);
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
        tables.requireNoGroups(index.table());
      } catch (TransactionException e) {
        removal.run(name);
        throw e;
      }
      try {
        build.run(entry, progress);
      } catch (DuplicateValueException | IndexRegistry.TooLongException e) {
        removal.run(name);
        throw e;
      }
    }
    return registry.entry(name).orElseThrow().index();
  }

  @Override
  public long sweep(String name, Duration keep) {
    String table = swept(name).index().table();
    // The parts may move until the lock is held: by their old places, index rows would seem to
    // point nowhere.
    return tables.holding(table, () -> sweepAlone(swept(name), keep));
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
    long watermark =
        tables
            .collect(table, keep)
            .orElseThrow(
                () ->
                    new StoreException(
                        "Garbage is being collected now: sweep the index when that is done."));
    try (Snapshot now = tables.fenced(watermark)) {
      return new IndexSweep(store, now, entry).run();
    }
  }

  @Override
  public Index follow(String name, LongConsumer progress) {
    registry.lookAgain();
    return tables.holding(local(name).index().table(), () -> followAlone(name, progress));
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
  public void followAll() {
    registry.lookAgain();
    for (IndexEntry entry : registry.all()) {
      if (entry.index().isLocal() && entry.index().ready() && isBehind(entry)) {
        follow(entry.index().name(), moved -> {});
      }
    }
  }

  /** Starts to do {@link #followAll} every minute, until the duty is closed. */
  public Duty follower(Seams seams) {
    return Duty.start(
        seams,
        "braid-index-follower",
        FOLLOW_EVERY,
        () -> {
          followAll();
          return false;
        });
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

  @Override
  public boolean drop(String name) {
    registry.lookAgain();
    return registry
        .entry(name)
        .map(entry -> tables.holding(entry.index().table(), () -> removal.run(name)))
        .orElse(false);
  }

  /** The same as {@link #drop}, for a caller that holds the lock of the table. */
  public void dropAlone(String name) {
    removal.run(name);
  }

  /** Begins a drop: transactions that begin from now on neither read nor write the index. */
  public void beginDrop(String name) {
    removal.begin(name);
  }

  /** Returns the places of the rows of an index. */
  public IndexRows rows(String name) {
    return registry.entry(name).orElseThrow().rows();
  }

  @Override
  public List<Index> all() {
    registry.lookAgain();
    return registry.all().stream().map(IndexEntry::index).toList();
  }

  @Override
  public Index of(String table, ColumnName column) {
    return registry.of(table, column).index();
  }

  @Override
  public <T> List<Row> find(Snapshot reads, String table, Column<T> column, T value) {
    Bytes bytes = column.codec().encode(value);
    KeyRange values = KeyRange.prefix(IndexKeys.prefix(bytes));
    return new IndexQuestion(registry, reads, table, column.name(), values, ALL).rows();
  }

  @Override
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
