package io.braid;

import io.braid.batch.LoadContext;
import io.braid.changes.feed.ChangeFeed;
import io.braid.changes.feed.ChangeLogs;
import io.braid.changes.feed.Position;
import io.braid.core.data.Row;
import io.braid.core.protocol.Duty;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.UninterruptedWork;
import io.braid.core.store.CellStore;
import io.braid.core.store.StoreException;
import io.braid.core.store.UnknownTableException;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.FastOptions;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Staleness;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionBody;
import io.braid.core.transaction.Transactions;
import io.braid.groups.Group;
import io.braid.groups.GroupRequest;
import io.braid.groups.Groups;
import io.braid.indexes.IndexRegistry;
import io.braid.indexes.Indexes;
import io.braid.indexes.TableIndexes;
import io.braid.observers.Observer;
import io.braid.observers.ObserverOperations;
import io.braid.observers.ObserverStats;
import io.braid.observers.Observers;
import io.braid.percolator.context.PercolatorOptions;
import io.braid.store.rocksdb.RocksStore;
import io.braid.tables.BoundTables;
import io.braid.tables.BoundTransactions;
import io.braid.tables.TableBindings;
import io.braid.tables.Tables;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A database in this process: transactions, observers, key groups and loads over a store. Begin
 * here. Open it once and share it between threads; close it last. All exceptions are unchecked;
 * docs/embedding.md lists what to do about each.
 *
 * <pre>{@code
 * try (Braid db = Braid.open(Path.of("data"))) {
 *   db.ensureTable("pages", "stats");
 *   Row row = Row.of("pages", "home");
 *   Column<Long> count = Column.of("stats", "count", Codecs.int64());
 *   long n = db.run(tx -> {
 *     long next = tx.get(row, count).orElse(0L) + 1;
 *     tx.set(row, count, next);
 *     return next;
 *   });
 * }
 * }</pre>
 *
 * <p>{@link #run run} writes, {@link #snapshot} reads, {@link #observe observe} has code run after
 * changes, {@link #group group} owns rows for a while, {@code io.braid.batch.job.LoadJob} brings
 * files into a table. After {@link #close} all of it throws {@link IllegalStateException}, or an
 * exception of the store.
 */
@API(status = API.Status.STABLE)
public final class Braid implements AutoCloseable {
  private final Foundation on;
  private final Tables tables;
  private final TableIndexes indexes;
  private final LoadedIndexes loadedIndexes;
  private final BoundTransactions transactions;

  /** The transactions as clients and observers use them. */
  private final Transactions clients;

  private final Observers observers;
  private final DatabaseGroups groups;
  private final ChangeLogs changes;
  private final Operations operations;

  Braid(Foundation on) {
    this.on = on;
    CellStore store = on.store();
    Seams seams = on.seams();
    TimestampOracle oracle = on.oracle();
    store.advanceClock(oracle::next);
    TableBindings bindings = new TableBindings(store, seams, on.shared());
    IndexRegistry registry =
        new IndexRegistry(store, Options.limits(on.config()).keyBytes(), on.shared());
    this.transactions = on.keep(on.transactions(bindings, registry), BoundTransactions::close);
    this.clients = on.traced(transactions);
    this.observers =
        on.keep(
            new Observers(store, clients, seams, Options.observers(on.config())), Observers::close);
    on.keep(ClockDuty.start(store, oracle, seams), ClockDuty::close);
    BoundTables bound =
        new BoundTables(store, oracle, seams, transactions, bindings, this::requireNoGroups);
    this.indexes =
        new TableIndexes(
            store,
            registry,
            bound,
            transactions,
            oracle,
            PercolatorOptions.defaults().smallValueBytes());
    this.loadedIndexes = new LoadedIndexes(registry, transactions);
    on.keep(indexes.follower(seams), Duty::close);
    this.groups = new DatabaseGroups(on, transactions, bindings, registry);
    this.changes =
        on.keep(
            new ChangeLogs(store, transactions, oracle, seams, transactions::learn),
            ChangeLogs::close);
    this.tables = new Tables(bound, registry, indexes, changes);
    this.operations = new Operations(on, transactions, groups);
    on.keep(groups, DatabaseGroups::closeNodes);
  }

  private void requireNoGroups(String table) {
    groups.requireNoneOf(table);
  }

  /** Whether a directory holds a database, opened or not. */
  public static boolean isIn(Path directory) {
    return RocksStore.isIn(directory);
  }

  /**
   * Opens the database in a directory, creating both when there is none, with every setting at its
   * default. One process at a time. The caller closes it.
   *
   * @throws StoreException {@code LOCKED} when it is open already, here or in another process
   * @throws io.braid.core.store.StoreException when the directory holds something else, or the
   *     database is damaged; the text says which
   */
  public static Braid open(Path directory) {
    return open(directory, BraidConfig.defaults());
  }

  /**
   * As {@link #open(Path)}, configured.
   *
   * @throws ConfigurationException when values do not go together, or a file that one names cannot
   *     be used; nothing was opened
   */
  public static Braid open(Path directory, BraidConfig config) {
    return builder().config(config).open(directory);
  }

  /** Returns a builder, which opens a database with traces or with a clock of the caller. */
  public static BraidBuilder builder() {
    return new BraidBuilder();
  }

  /**
   * Opens a database over a store, and closes the store with it, also when this fails. The settings
   * {@code store.*} are the store's own affair.
   *
   * @param store of this process alone, such as {@code MemoryStore} of the testkit
   * @throws ConfigurationException when values do not go together
   */
  public static Braid over(CellStore store, BraidConfig config) {
    return builder().config(config).over(store);
  }

  /**
   * Connects to a database in HBase that several processes share; the settings that begin with
   * {@code hbase.} and {@code cluster.} say which. Needs the artifact {@code braid-connect-hbase}.
   *
   * <p>Transactions of Omid's protocol ask the transaction manager of whichever process is the
   * coordinator. A name that was bound to a protocol keeps it when its table is dropped.
   *
   * @throws ConfigurationException when the artifact is missing, or no cluster is named
   * @throws io.braid.core.store.StoreException when the cluster does not answer, lacks Braid's
   *     jars, or a table was altered; the text says which
   */
  public static Braid connect(BraidConfig config) {
    return UninterruptedWork.get(
        () -> builder().config(config).over(Connector.find().connect(config.checked())));
  }

  /**
   * Creates a table with these families, or adds those it lacks: as {@link Tables#ensure(String,
   * String...)}.
   */
  public void ensureTable(String table, String... families) {
    tables.ensure(table, families);
  }

  /** As {@link Tables#ensure(String, Protocol, String...)}. */
  public void ensureTable(String table, Protocol protocol, String... families) {
    tables.ensure(table, protocol, families);
  }

  /** Removes a table with all its data and its indexes: as {@link Tables#drop}. */
  public void dropTable(String table) {
    tables.drop(table);
  }

  /** Returns the tables of this database: to create, bind, fence and drop them. */
  public Tables tables() {
    return tables;
  }

  /** Secondary indexes; all processes on a database keep them. */
  public Indexes indexes() {
    return indexes;
  }

  /**
   * Runs a body in a transaction and commits it; runs it again when it conflicts, 50 times at most.
   * The usual way to write. See {@link Transactions#run Transactions.run}, also for what it throws.
   */
  public <R extends @Nullable Object, E extends Exception> R run(TransactionBody<R, E> body)
      throws E {
    return clients.run(body);
  }

  /**
   * Begins a transaction, which the caller commits and closes; {@link #run run} is more convenient.
   */
  public Transaction begin() {
    return clients.begin();
  }

  /**
   * Returns a snapshot of all tables as they are now, with everything that was committed before the
   * call. The caller closes it.
   */
  public Snapshot snapshot() {
    return clients.snapshot();
  }

  /** A snapshot that may lie a little in the past: as {@link Transactions#snapshot(Staleness)}. */
  public Snapshot snapshot(Staleness staleness) {
    return clients.snapshot(staleness);
  }

  /** A session of transactions of one operation on one row, without begin and commit. */
  public FastSession fast() {
    return clients.fast();
  }

  /** As {@link #fast()}, with options. */
  public FastSession fast(FastOptions options) {
    return clients.fast(options);
  }

  /** Snapshots of the past, pins, and the outcome of a transaction. */
  public Transactions transactions() {
    return clients;
  }

  /**
   * Creates a key group: these rows belong to it alone until it is closed. The first one is the
   * leader key.
   *
   * @param keys at least one; their tables are bound to one protocol
   * @throws io.braid.groups.GroupCreationException when keys did not join; none is held
   */
  public Group group(Collection<Row> keys) {
    return groups().create(keys);
  }

  /** As {@link #group(Collection)}: named, by best effort, or with another leader key. */
  public Group group(GroupRequest request) {
    return groups().create(request);
  }

  /**
   * The key groups there are: open, list, delete. Led by this process, or by the nodes that the
   * setting {@code groups.nodes} names.
   */
  public Groups groups() {
    return groups.all();
  }

  /** Returns the group nodes of this process. */
  public GroupNodes groupNodes() {
    return groups.nodes();
  }

  /**
   * Registers an observer; its name identifies it over restarts. Register all of them each time the
   * database is opened, then call {@link #startWorkers}.
   *
   * <pre>{@code
   * db.observe(Observer.of("count-words", "pages", text, (tx, row) ->
   *     tx.set(row, words, (long) tx.get(row, text).orElse("").split(" ").length)));
   * db.startWorkers();
   * }</pre>
   *
   * @throws IllegalArgumentException when another observer of this name is registered
   * @throws UnknownTableException when its table or family is not there
   * @throws io.braid.core.store.StoreException when it may not be registered: call again
   */
  public void observe(Observer observer) {
    observers.register(observer);
  }

  /**
   * Starts to run observers in this process, those registered later included. Until some process
   * does so, changes wait.
   */
  public void startWorkers() {
    observers.start();
  }

  /**
   * Waits until every change has been observed, by this process or others; false when that takes
   * longer, or the thread is interrupted. Dead letters and paused changes are not waited for.
   */
  public boolean awaitObserversIdle(Duration timeout) {
    return observers.awaitIdle(timeout);
  }

  /** Returns what the observers of this process have done since the database was opened. */
  public ObserverStats observerStats() {
    return observers.stats();
  }

  /** Returns the operations by which operators inspect and control observers. */
  public ObserverOperations observerOperations() {
    return observers.operations();
  }

  /** Returns which tables keep their changes, and how long. */
  public ChangeLogs changes() {
    return changes;
  }

  /**
   * The committed changes of a table in the order of their timestamps; {@link ChangeLogs#keep
   * ChangeLogs.keep} has them kept.
   *
   * @param since a position of this feed, or null for all that are kept
   * @throws io.braid.changes.feed.ChangesException when they are not kept, or not any more
   */
  public ChangeFeed changes(String table, @Nullable Position since) {
    return changes.feed(table, since);
  }

  /** Returns what {@code io.braid.batch.job.LoadJob} and other batch jobs need of this database. */
  public LoadContext loads() {
    return new LoadContext(
        on.store(),
        transactions,
        loadedIndexes,
        on.oracle(),
        observers,
        on.seams(),
        Options.limits(on.config()),
        PercolatorOptions.defaults().smallValueBytes());
  }

  /** Returns what operators look at and do: statistics, garbage collection, clock, traces. */
  public Operations operations() {
    return operations;
  }

  /** The store beneath, as it was opened; it is closed with this. */
  public CellStore store() {
    return on.beneath();
  }

  /** Returns the source of the timestamps of this database. The caller must not close it. */
  public TimestampOracle oracle() {
    return on.oracle();
  }

  /**
   * Ends workers and background work, and closes the store. Waits for running work; a run of an
   * observer is interrupted after ten seconds. Committed data stays, uncommitted data is rolled
   * back. Does nothing when the database is closed. An interrupt of the thread does not break the
   * close, and stays set.
   */
  @Override
  public void close() {
    UninterruptedWork.again(
        () -> {
          on.opened().close();
          return true;
        });
  }
}
