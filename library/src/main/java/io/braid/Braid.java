package io.braid;

import io.braid.batch.LoadContext;
import io.braid.batch.changes.ChangeFeed;
import io.braid.batch.changes.ChangeLogs;
import io.braid.batch.changes.Position;
import io.braid.core.data.Row;
import io.braid.core.protocol.Duty;
import io.braid.core.runtime.Opened;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.runtime.Uninterrupted;
import io.braid.core.store.CellStore;
import io.braid.core.store.UnknownTableException;
import io.braid.core.time.ClockReading;
import io.braid.core.time.LocalOracle;
import io.braid.core.time.RisingOracle;
import io.braid.core.time.StoreTimestampBound;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.FastOptions;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Staleness;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionBody;
import io.braid.core.transaction.TransactionId;
import io.braid.core.transaction.Transactions;
import io.braid.groups.Group;
import io.braid.groups.GroupRequest;
import io.braid.groups.GroupStats;
import io.braid.groups.Groups;
import io.braid.groups.node.GroupNode;
import io.braid.groups.node.NodeOptions;
import io.braid.groups.node.RemoteGroups;
import io.braid.groups.node.Roles;
import io.braid.observers.Observer;
import io.braid.observers.ObserverOperations;
import io.braid.observers.ObserverStats;
import io.braid.observers.Observers;
import io.braid.omid.OmidStatistics;
import io.braid.omid.OmidTransactions;
import io.braid.percolator.PercolatorOptions;
import io.braid.percolator.PercolatorStatistics;
import io.braid.percolator.PercolatorTransactions;
import io.braid.percolator.TransactionTraces;
import io.braid.percolator.garbage.Collector;
import io.braid.store.rocksdb.RocksStore;
import io.opentelemetry.api.OpenTelemetry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
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
public final class Braid implements AutoCloseable {
  private static final Duration FOLLOW_EVERY = Duration.ofMinutes(1);

  private final Foundation on;
  private final CellStore store;
  private final IndexRegistry registry;
  private final Tables tables;
  private final Indexes indexes;
  private final BoundTransactions transactions;

  /** The transactions as clients and observers use them. */
  private final Transactions clients;

  private final Observers observers;
  private final OwnGroups groups;
  private final ChangeLogs changes;

  Braid(Foundation on) {
    this.on = on;
    Opened opened = on.opened();
    this.store = on.store();
    BraidConfig config = on.config();
    Seams seams = on.seams();
    TimestampOracle oracle = on.oracle();
    store.advanceClock(oracle::next);
    TableLocks locks = new TableLocks(seams);
    TableBindings bindings = new TableBindings(store, seams, on.shared());
    this.registry = new IndexRegistry(store, Options.limits(config).keyBytes(), on.shared());
    this.transactions =
        opened.keep(
            new BoundTransactions(
                store,
                bindings,
                registry,
                new PercolatorTransactions(
                    store, oracle, seams, Options.percolator(config), Options.collection(config)),
                this::openOmid,
                seams),
            BoundTransactions::close);
    this.clients =
        on.tracing()
            .<Transactions>map(by -> new TracedTransactions(transactions, by, seams))
            .orElse(transactions);
    this.observers =
        opened.keep(
            new Observers(store, clients, seams, Options.observers(config)), Observers::close);
    opened.keep(ClockDuty.start(store, oracle, seams), ClockDuty::close);
    TableFence fence = new TableFence(store, oracle, transactions, seams);
    this.tables = new Tables(on, transactions, bindings, registry, fence, locks);
    IndexPins pins = new IndexPins(transactions, registry, fence);
    this.indexes =
        new Indexes(
            store,
            bindings,
            registry,
            transactions,
            new IndexBuild(
                store,
                transactions,
                registry,
                fence,
                pins,
                PercolatorOptions.defaults().smallValueBytes()),
            new IndexMove(store, registry, fence, pins),
            pins,
            fence,
            oracle,
            locks,
            this::requireNoGroups);
    opened.keep(Duty.start(seams, "braid-index-follower", FOLLOW_EVERY, this::follow), Duty::close);
    this.groups = new OwnGroups(on, transactions, bindings, registry);
    this.changes = opened.keep(new ChangeLogs(loads()), ChangeLogs::close);
    opened.keep(groups, OwnGroups::closeNodes);
  }

  private void requireNoGroups(String table) {
    groups.requireNoneOf(table);
  }

  private boolean follow() {
    indexes.followAll();
    return false;
  }

  /** Whether a directory holds a database, opened or not. */
  public static boolean isIn(Path directory) {
    return RocksStore.isIn(directory);
  }

  /**
   * Opens the database in a directory, creating both when there is none, with every setting at its
   * default. One process at a time. The caller closes it.
   *
   * @throws io.braid.core.store.StoreLockedException when it is open already, here or in another
   *     process
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
    return open(directory, config, OpenTelemetry.noop());
  }

  /**
   * As {@link #open(Path, BraidConfig)}, traced: each transaction is a span, with its begin, reads
   * and commit and every call of the store beneath it.
   *
   * @param telemetry where spans go; the caller closes it after this
   */
  public static Braid open(Path directory, BraidConfig config, OpenTelemetry telemetry) {
    return open(directory, config, new SystemSeams(), telemetry);
  }

  /**
   * As {@link #open(Path, BraidConfig, OpenTelemetry)}, with the surroundings that the caller
   * brings, such as a clock that is wrong.
   */
  public static Braid open(
      Path directory, BraidConfig config, Seams seams, OpenTelemetry telemetry) {
    return Uninterrupted.get(
        () -> {
          RocksStore store = RocksStore.open(directory, Options.store(config.checked()));
          return Foundation.alone(
              store, config, seams, Foundation.LogOpener.beside(store, directory), telemetry);
        });
  }

  /**
   * Opens a database over a store, and closes the store with it, also when this fails. The settings
   * {@code store.*} are the store's own affair.
   *
   * @param store of this process alone, such as {@code MemoryStore} of the testkit
   * @throws ConfigurationException when values do not go together
   */
  public static Braid over(CellStore store, BraidConfig config) {
    return over(store, config, new SystemSeams());
  }

  /**
   * As {@link #over(CellStore, BraidConfig)}, with the surroundings that the caller brings: clock,
   * randomness, threads, as for a simulation.
   */
  public static Braid over(CellStore store, BraidConfig config, Seams seams) {
    return over(store, config, seams, OpenTelemetry.noop());
  }

  /** The same as {@link #over(CellStore, BraidConfig, Seams)}, traced with {@code telemetry}. */
  public static Braid over(
      CellStore store, BraidConfig config, Seams seams, OpenTelemetry telemetry) {
    return Uninterrupted.get(
        () -> Foundation.alone(store, config, seams, Foundation.LogOpener.IN_STORE, telemetry));
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
    return Uninterrupted.get(() -> over(Connector.find().connect(config.checked()), config));
  }

  /**
   * The same as {@link #connect connect}, over the connection of a connector. Closes the connection
   * in the end, also when this fails.
   */
  public static Braid over(Connector.Connection to, BraidConfig config) {
    return Foundation.shared(to, config);
  }

  /**
   * Creates a table with these families, or adds those it lacks. A new one is of Percolator's
   * protocol, unless its name was bound to another before.
   *
   * @param table letters, digits, '_', '.', '-', at most 128, not beginning with '.' or '-'
   * @param families at least one: letters, digits, '_', '-', at most 64. Columns that are read
   *     together belong in one family
   * @throws IllegalArgumentException when a name is not valid, or no family is named
   */
  public void ensureTable(String table, String... families) {
    tables.ensure(table, families);
  }

  /**
   * Creates a table whose rows are written by transactions of a protocol, or adds the families it
   * lacks.
   *
   * @throws IllegalArgumentException when a name is not valid, or the table exists and is bound to
   *     another protocol: {@link #switchProtocol switchProtocol} changes that
   */
  public void ensureTable(String table, Protocol protocol, String... families) {
    tables.ensure(table, protocol, families);
  }

  /**
   * The protocol that a table is bound to, whichever process of a shared database has bound it;
   * Percolator for one that does not exist.
   */
  public Protocol protocol(String table) {
    return tables.protocol(table);
  }

  /**
   * Binds an existing table and its indexes to another protocol while clients work. New writers of
   * the table wait. Transactions that have begun and write the table abort, however long they stay
   * open; they may be run again.
   *
   * @throws UnknownTableException when there is no such table
   * @throws IllegalArgumentException when it is an index
   * @throws io.braid.groups.GroupException when rows of it are in key groups
   * @throws io.braid.batch.JobException when an atomic load into it is open
   * @throws io.braid.core.store.TabletUnavailableException when another caller changes the table
   *     for ten minutes, or the remains of earlier transactions cannot be removed. The table keeps
   *     its protocol; call again
   */
  public void switchProtocol(String table, Protocol protocol) {
    tables.switchProtocol(table, protocol, holders());
  }

  /**
   * Sets a fence (Omid, section 6.1): transactions that began before and write the table abort,
   * unless they have committed.
   *
   * @return the timestamp of the fence: writes of transactions that committed before lie below
   * @throws UnknownTableException when there is no such table
   * @throws io.braid.batch.JobException when an atomic load into it is open
   * @throws io.braid.core.store.TabletUnavailableException when the remains of aborted transactions
   *     cannot be removed for two minutes: call again
   */
  public long fence(String table) {
    return tables.fence(table);
  }

  /**
   * Waits until everything committed at or below a timestamp has commit records, and nothing else
   * begun by then is undecided. Later commits are above the timestamp.
   *
   * @param timestamp one that the oracle gave out
   * @throws io.braid.core.store.TabletUnavailableException when that takes more than two minutes:
   *     call again
   */
  public void settle(long timestamp) {
    new OldIntents(store, transactions, on.seams()).awaitAll(timestamp);
  }

  /** Secondary indexes; all processes on a database keep them. */
  public Indexes indexes() {
    return indexes;
  }

  /**
   * Removes a table with all its data and its indexes; does nothing when there is none. Snapshots
   * that are open lose it too, and transactions that have written it abort. When a table is created
   * again under the name, transactions and snapshots from before throw {@link
   * io.braid.core.store.TableReplacedException}.
   *
   * @throws io.braid.groups.GroupException when rows of it are in key groups; nothing was done
   * @throws io.braid.batch.JobException when an atomic load into it is open, or one by snapshot
   *     files; nothing was done
   * @throws IllegalArgumentException when it is an index: {@link Indexes#drop Indexes.drop} removes
   *     that
   * @throws io.braid.core.store.TabletUnavailableException when writes of the same transactions to
   *     other tables cannot be decided now: call again
   */
  public void dropTable(String table) {
    tables.drop(table, indexes, changes, holders());
  }

  private TableHolders holders() {
    return new TableHolders(store, groups);
  }

  /**
   * The families of a table that hold values of users; of an index, that of its rows.
   *
   * @throws UnknownTableException when there is no such table
   */
  public List<String> families(String table) {
    return tables.families(table);
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

  /** Snapshots of the past, pins, and what became of a transaction. */
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

  /**
   * Why nothing is written: what the store says, or that key groups cannot commit. Empty when all
   * is well.
   */
  public Optional<String> refusesWrites() {
    return store.refusesWrites().or(groups::refusesCommits);
  }

  /**
   * Connects to group nodes without opening a database. The caller closes the result.
   *
   * @param addresses HOST:PORT of some of them
   * @throws IllegalArgumentException when one is not an address; an address that does not answer
   *     shows only later
   */
  public static Groups groupsAt(String... addresses) {
    return groupsAt(BraidConfig.defaults(), addresses);
  }

  /**
   * Connects to group nodes without opening a database.
   *
   * @param config how this process and the nodes know each other: {@code groups.secret}, {@code
   *     groups.tls-*}
   * @param addresses HOST:PORT of some of them
   */
  public static Groups groupsAt(BraidConfig config, String... addresses) {
    return RemoteGroups.connect(new SystemSeams(), List.of(addresses), Options.trust(config));
  }

  /** Returns statistics of the key groups that this process and its group nodes lead. */
  public GroupStats groupStats() {
    return groups.stats();
  }

  /** Frees rows that groups hold which are gone, now; how many. Done every few minutes anyway. */
  public int sweepGhosts() {
    return groups.sweepGhosts();
  }

  /**
   * Starts a group node in this process: it leads groups for clients in other processes, yields its
   * keys to other nodes, and takes over groups of nodes that have died. It ends with this, if it
   * was not closed before.
   *
   * @throws IllegalArgumentException when anybody on other machines could reach it, and neither
   *     {@code groups.secret} nor {@code groups.tls-certificate} is set, nor {@code groups.open}
   */
  public GroupNode groupNode(NodeOptions options) {
    return groupNode(options, Roles.NONE);
  }

  /**
   * Starts a group node in this process, with roles.
   *
   * @param roles what clients and other nodes may do, by their certificates
   * @throws IllegalArgumentException also when there are roles, and no TLS
   */
  public GroupNode groupNode(NodeOptions options, Roles roles) {
    return groups.startNode(options, roles);
  }

  /** The group nodes of this process. */
  public List<GroupNode> groupNodes() {
    return groups.nodes();
  }

  /**
   * Ends a node of this process; others take its groups over. To be called in place of its close.
   */
  public void closeNode(GroupNode node) {
    groups.closeNode(node);
  }

  /**
   * Returns the traces that a transaction has left. Unlike {@link Transactions#outcome
   * Transactions.outcome}, it decides nothing.
   */
  public TransactionTraces traces(TransactionId id) {
    return transactions.percolator().traces(id);
  }

  /** As {@link #traces(TransactionId)}, when only the start timestamp is known. */
  public TransactionTraces traces(long start) {
    return transactions.percolator().traces(start);
  }

  /**
   * Returns the collector, which removes data that no snapshot can need any more, and reports its
   * state.
   */
  public Collector collector() {
    return transactions.percolator().collector();
  }

  /** Returns what transactions under Percolator have done since the database was opened. */
  public PercolatorStatistics percolatorStatistics() {
    return transactions.percolator().statistics();
  }

  /**
   * Returns what transactions under Omid have done since the database was opened; empty while no
   * table is bound to Omid.
   */
  public Optional<OmidStatistics> omidStatistics() {
    return transactions.openOmid().map(OmidTransactions::statistics);
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
   * longer, or the thread is interrupted. Parked or paused changes are not waited for.
   */
  public boolean awaitObserversIdle(Duration timeout) {
    return observers.awaitIdle(timeout);
  }

  /** Returns what the observers of this process have done since the database was opened. */
  public ObserverStats observerStats() {
    return observers.stats();
  }

  /**
   * Returns which process gives out timestamps and decides commits of Omid's protocol, and which
   * ones would take over.
   */
  public CoordinatorStatus coordinator() {
    return on.coordinator().get();
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
   * @throws io.braid.batch.changes.ChangesException when they are not kept, or not any more
   */
  public ChangeFeed changes(String table, @Nullable Position since) {
    return changes.feed(table, since);
  }

  /** Returns what {@code io.braid.batch.job.LoadJob} and other batch jobs need of this database. */
  public LoadContext loads() {
    return new LoadContext(
        store,
        transactions,
        new LoadedIndexes(registry, transactions),
        on.oracle(),
        observers,
        on.seams(),
        Options.limits(on.config()),
        PercolatorOptions.defaults().smallValueBytes());
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
   * Returns the reading of this machine's clock, and whether timestamps follow the clock. They do
   * not when the clock is more than a week away from them.
   *
   * @return empty in a database that several processes share: there the coordinator's clock counts,
   *     and the coordinator's log reports it
   */
  public Optional<ClockReading> clock() {
    return localOracle().map(LocalOracle::clock);
  }

  /**
   * Trusts the clock of this machine after a person has checked it: see {@link
   * LocalOracle#confirmClock()}. Does nothing when the clock is already trusted.
   *
   * @throws io.braid.core.time.TimestampUnavailableException when the clock is outside of 2020 to
   *     2089
   */
  public void confirmClock() {
    localOracle()
        .ifPresentOrElse(
            LocalOracle::confirmClock,
            () -> LocalOracle.confirmClock(new StoreTimestampBound(store), on.seams()));
  }

  private Optional<LocalOracle> localOracle() {
    TimestampOracle oracle = on.oracle();
    TimestampOracle source = oracle instanceof RisingOracle rising ? rising.checked() : oracle;
    return source instanceof LocalOracle local ? Optional.of(local) : Optional.empty();
  }

  /**
   * Ends workers and background work, and closes the store. Waits for running work; a run of an
   * observer is interrupted after ten seconds. Committed data stays, uncommitted data is rolled
   * back. Does nothing when the database is closed. An interrupt of the thread does not break the
   * close, and stays set.
   */
  @Override
  public void close() {
    Uninterrupted.again(
        () -> {
          on.opened().close();
          return true;
        });
  }

  private OmidTransactions openOmid() {
    return new OmidTransactions(
        store, on.manager().get(), on.oracle(), on.seams(), Options.omid(on.config()));
  }
}
