package io.braid;

import io.braid.batch.LoadContext;
import io.braid.batch.changes.ChangeFeed;
import io.braid.batch.changes.ChangeLogs;
import io.braid.batch.changes.Position;
import io.braid.core.cells.Families;
import io.braid.core.data.Row;
import io.braid.core.protocol.Duty;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.TableSchema;
import io.braid.core.store.TableSchema.FamilySchema;
import io.braid.core.store.TableSchema.Kind;
import io.braid.core.store.UnknownTableException;
import io.braid.core.time.LocalOracle;
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
import io.braid.groups.Groups;
import io.braid.groups.LocalGroups;
import io.braid.groups.log.FileGroupLog;
import io.braid.groups.log.GroupLog;
import io.braid.groups.log.StoreGroupLog;
import io.braid.groups.node.GroupNode;
import io.braid.groups.node.NodeOptions;
import io.braid.groups.node.RemoteGroups;
import io.braid.groups.node.Roles;
import io.braid.observers.Observer;
import io.braid.observers.ObserverOperations;
import io.braid.observers.ObserverStats;
import io.braid.observers.Observers;
import io.braid.omid.LegacyManager;
import io.braid.omid.OmidOptions;
import io.braid.omid.OmidStatistics;
import io.braid.omid.OmidTransactions;
import io.braid.omid.manager.LocalTransactionManager;
import io.braid.omid.manager.TransactionManager;
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
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A database: transactions and observers over a store. Safe for many threads.
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
 */
public final class Braid implements AutoCloseable {
  private static final Runnable NOTHING = () -> {};
  private static final Duration FOLLOW_EVERY = Duration.ofMinutes(1);

  private final CellStore store;
  private final TimestampOracle oracle;
  private final TableLocks locks;
  private final TableBindings bindings;
  private final IndexRegistry registry;
  private final TableFence fence;
  private final Indexes indexes;
  private final BoundTransactions transactions;

  /** What clients and observers use of them. */
  private final Transactions clients;

  private final Observers observers;
  private final ClockDuty clock;
  private final Duty follower;
  private final BraidConfig config;
  private final Seams seams;
  private final Runnable leave;
  private final boolean shared;
  private final Supplier<TransactionManager> manager;
  private final GroupLog groupLog;
  private final LocalGroups groups;
  private final Optional<RemoteGroups> remoteGroups;
  private final List<GroupNode> nodes = new CopyOnWriteArrayList<>();
  private final Set<String> endedNodes = ConcurrentHashMap.newKeySet();
  private final ChangeLogs changes;

  private Braid(
      CellStore store,
      TimestampOracle oracle,
      BraidConfig config,
      Seams seams,
      Supplier<TransactionManager> manager,
      Runnable leave,
      LogOpener logs,
      Optional<Tracing> tracing) {
    this.manager = manager;
    this.store = store;
    this.config = config;
    this.seams = seams;
    this.oracle = oracle;
    this.leave = leave;
    this.shared = leave != NOTHING;
    store.advanceClock(oracle::next);
    this.locks = new TableLocks(seams);
    this.bindings = new TableBindings(store, seams, locks, shared);
    this.registry = new IndexRegistry(store, Options.limits(config).keyBytes(), shared);
    this.transactions =
        new BoundTransactions(
            bindings,
            registry,
            new PercolatorTransactions(
                store, oracle, seams, Options.percolator(config), Options.collection(config)),
            () -> openOmid(config, seams),
            seams);
    this.clients =
        tracing
            .<Transactions>map(by -> new TracedTransactions(transactions, by, seams))
            .orElse(transactions);
    this.observers = new Observers(store, clients, seams, Options.observers(config));
    this.clock = ClockDuty.start(store, oracle, seams);
    this.fence = new TableFence(store, oracle, transactions, seams);
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
                PercolatorOptions.defaults().smallValueBytes()),
            new IndexMove(store, transactions, registry, fence),
            fence,
            oracle,
            locks);
    this.follower = Duty.start(seams, "braid-index-follower", FOLLOW_EVERY, this::follow);
    this.groupLog = logs.open(store, config, seams);
    this.groups = new LocalGroups(groupBase(""), Options.groups(config, shared));
    this.remoteGroups = remoteGroups(config, seams);
    this.changes = new ChangeLogs(loads());
  }

  private boolean follow() {
    indexes.followAll();
    return false;
  }

  private static Optional<RemoteGroups> remoteGroups(BraidConfig config, Seams seams) {
    String nodes = config.get(Setting.GROUP_NODES);
    return nodes.equals(Setting.GROUP_NODES.defaultText())
        ? Optional.empty()
        : Optional.of(
            RemoteGroups.connect(seams, List.of(nodes.split(",")), Options.trust(config)));
  }

  /**
   * @param node the name of a group node of this process; empty for the process itself
   */
  private LocalGroups.Base groupBase(String node) {
    Seams own = new NodeSeams(seams, new NodeLiveness(seams.liveness(), node, endedNodes));
    return new LocalGroups.Base(
        store,
        oracle,
        transactions,
        own,
        groupLog,
        new LocalGroups.Surroundings(Options.limits(config), table -> bindings.of(table).word()));
  }

  /** Where groups log. */
  private interface LogOpener {
    GroupLog open(CellStore store, BraidConfig config, Seams seams);

    LogOpener IN_STORE =
        (store, config, seams) -> new StoreGroupLog(store, config.get(Setting.DURABILITY), seams);

    static LogOpener in(Path directory) {
      return (store, config, seams) ->
          new FileGroupLog(
              directory.resolve("groups"),
              config.get(Setting.GROUP_LOG_FILES),
              config.get(Setting.DURABILITY) == Durability.SYNCED,
              config.get(Setting.GROUP_LOG_SIZE),
              seams);
    }
  }

  /** Whether a directory holds a database, opened or not. */
  public static boolean isIn(Path directory) {
    return RocksStore.isIn(directory);
  }

  /**
   * Opens the database in a directory, creating it when there is none. One process at a time.
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
   * @throws ConfigurationException when values do not go together; nothing was opened
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
    return over(
        RocksStore.open(directory, Options.store(config.checked())),
        config,
        new SystemSeams(),
        LogOpener.in(directory),
        telemetry);
  }

  /** Opens a database over a store, and closes the store with it. */
  public static Braid over(CellStore store, BraidConfig config) {
    return over(store, config, new SystemSeams());
  }

  /** As {@link #over(CellStore, BraidConfig)}, with the surroundings that the caller brings. */
  public static Braid over(CellStore store, BraidConfig config, Seams seams) {
    return over(store, config, seams, OpenTelemetry.noop());
  }

  /** As {@link #over(CellStore, BraidConfig, Seams)}, traced as the other is. */
  public static Braid over(
      CellStore store, BraidConfig config, Seams seams, OpenTelemetry telemetry) {
    return over(store, config, seams, LogOpener.IN_STORE, telemetry);
  }

  private static Braid over(
      CellStore opened, BraidConfig config, Seams seams, LogOpener logs, OpenTelemetry telemetry) {
    Optional<Tracing> tracing = Tracing.by(telemetry);
    CellStore store = tracing.map(by -> by.store(opened)).orElse(opened);
    try {
      store.ensureTable(Families.system());
      TimestampOracle oracle = new LocalOracle(new StoreTimestampBound(store), seams);
      return new Braid(
          store,
          oracle,
          config.checked(),
          seams,
          () -> manager(store, oracle, config, seams),
          NOTHING,
          logs,
          tracing);
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  private static TransactionManager manager(
      CellStore store, TimestampOracle oracle, BraidConfig config, Seams seams) {
    LocalTransactionManager local = new LocalTransactionManager(oracle, config.conflictCells());
    return config.get(Setting.OMID_ENTRIES) == OmidOptions.Entries.BY_CLIENT
        ? local
        : new LegacyManager(local, store, seams, config.get(Setting.DURABILITY));
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
    Connector connector =
        ServiceLoader.load(Connector.class)
            .findFirst()
            .orElseThrow(
                () ->
                    new ConfigurationException(
                        "Nothing on the class path connects to HBase: add the artifact"
                            + " io.braid:braid-connect-hbase, or use the launcher 'braid'."));
    return over(connector.connect(config.checked()), config);
  }

  /** As {@link #connect}, over what a connector has brought; closes it in the end. */
  public static Braid over(Connector.Connection to, BraidConfig config) {
    try {
      requireEntriesByClient(config);
      return new Braid(
          to.store(),
          to.oracle(),
          config,
          to.seams(),
          to::manager,
          to.leave(),
          LogOpener.IN_STORE,
          Optional.empty());
    } catch (RuntimeException e) {
      to.leave().run();
      to.store().close();
      throw e;
    }
  }

  private static void requireEntriesByClient(BraidConfig config) {
    if (config.get(Setting.OMID_ENTRIES) != OmidOptions.Entries.BY_CLIENT) {
      throw new ConfigurationException(
          "omid.entries = by_manager is for a database that one process has open: leave it out.");
    }
  }

  /**
   * Creates a table with these families, or adds those it lacks.
   *
   * @throws IllegalArgumentException when a name is none
   */
  public void ensureTable(String table, String... families) {
    TableSchema schema = schema(table, families);
    if (shared && store.table(table).isEmpty()) {
      bindings.bind(table, bindings.of(table));
    }
    store.ensureTable(schema);
  }

  /**
   * Creates a table whose rows are written by transactions of a protocol, or adds the families it
   * lacks.
   *
   * @throws IllegalArgumentException when a name is none, or the table exists and is bound to
   *     another protocol
   */
  public void ensureTable(String table, Protocol protocol, String... families) {
    TableSchema schema = schema(table, families);
    bindings.bind(table, protocol);
    if (protocol == Protocol.OMID) {
      transactions.omid();
    }
    store.ensureTable(schema);
  }

  /** The protocol that a table is bound to, whichever process of a shared database has bound it. */
  public Protocol protocol(String table) {
    transactions.lookAgain();
    return bindings.of(table);
  }

  /**
   * Binds a table that exists, and its indexes, to another protocol, while clients work: those who
   * want to write it wait, transactions that have begun to abort and may be run again.
   *
   * @throws IllegalArgumentException when there is no such table, or it is an index
   */
  public void switchProtocol(String table, Protocol protocol) {
    families(table);
    transactions.lookAgain();
    if (registry.isIndex(table)) {
      throw new IllegalArgumentException(
          "Table " + table + " is an index, and follows the table that it is of.");
    }
    if (protocol == Protocol.OMID) {
      transactions.omid();
    }
    locks.holding(
        table,
        () -> {
          new ProtocolSwitch(bindings, registry, fence).run(table, protocol);
          return table;
        });
  }

  /**
   * Sets a fence (Omid, section 6.1): transactions that began before and write the table abort.
   *
   * @return its timestamp: what was written by those that committed lies below
   */
  public long fence(String table) {
    families(table);
    return fence.set(table);
  }

  /** Secondary indexes; all processes on a database keep them. */
  public Indexes indexes() {
    return indexes;
  }

  /** Removes a table with all its data and its indexes; does nothing when there is none. */
  public void dropTable(String table) {
    transactions.lookAgain();
    if (registry.isIndex(table)) {
      throw new IllegalArgumentException("Table " + table + " is an index: drop the index.");
    }
    registry.allOf(table).forEach(index -> indexes.drop(index.name()));
    bindings.beforeDrop(table);
    changes.stop(table);
    transactions.dropTable(store, table);
    bindings.unbind(table);
  }

  /**
   * The families of a table that hold values of users; of an index, that of its rows.
   *
   * @throws UnknownTableException when there is no such table
   */
  public List<String> families(String table) {
    TableSchema schema =
        store
            .table(table)
            .orElseThrow(
                () ->
                    new UnknownTableException("There is no table " + table + ": create it first."));
    return schema.families().stream()
        .filter(f -> f.kind() == Kind.DATA && holdsValues(table, f.name()))
        .map(FamilySchema::name)
        .toList();
  }

  private boolean holdsValues(String table, String family) {
    return Families.isUsers(family) || (family.equals(Families.INDEX) && registry.isIndex(table));
  }

  /**
   * Runs a body in a transaction; runs it again when it conflicts. See {@link Transactions#run}.
   */
  public <R extends @Nullable Object, E extends Exception> R run(TransactionBody<R, E> body)
      throws E {
    return clients.run(body);
  }

  /** Begins a transaction, which the caller commits and closes; {@link #run} is more convenient. */
  public Transaction begin() {
    return clients.begin();
  }

  /** All tables as they are now, to read from; the caller closes it. */
  public Snapshot snapshot() {
    return clients.snapshot();
  }

  /** As {@link Transactions#snapshot(Staleness)}. */
  public Snapshot snapshot(Staleness staleness) {
    return clients.snapshot(staleness);
  }

  /** A session of transactions of one operation on one row, without begin and commit. */
  public FastSession fast() {
    return transactions.fast();
  }

  /** As {@link #fast()}, with options. */
  public FastSession fast(FastOptions options) {
    return transactions.fast(options);
  }

  /** Snapshots of the past, pins, and what became of a transaction. */
  public Transactions transactions() {
    return clients;
  }

  /**
   * Creates a key group: these rows belong to it alone until it is closed. The first one is the
   * leader key.
   *
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
    return remoteGroups.isPresent() ? remoteGroups.get() : groups;
  }

  /**
   * Connects to group nodes without opening a database.
   *
   * @param addresses HOST:PORT of some of them
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

  /** Frees rows that groups hold which are gone, now; how many. Done every few minutes anyway. */
  public int sweepGhosts() {
    return groups.sweepGhosts();
  }

  /**
   * Starts a group node in this process: it leads groups for clients in other processes, yields the
   * keys of its ranges to other nodes, and takes over the groups of nodes that have died. It ends
   * with this, if it was not closed before.
   *
   * @throws IllegalArgumentException when anybody on other machines could reach it, and neither
   *     {@code groups.secret} nor {@code groups.tls-certificate} is set, nor {@code groups.open}
   */
  public GroupNode groupNode(NodeOptions options) {
    return groupNode(options, Roles.NONE);
  }

  /**
   * As the other.
   *
   * @param roles what clients and other nodes may do, by their certificates
   * @throws IllegalArgumentException also when there are roles, and no TLS
   */
  public GroupNode groupNode(NodeOptions options, Roles roles) {
    // A name may be used again; a token never is.
    LocalGroups.Base base = groupBase(options.name() + "-" + oracle.next());
    GroupNode node =
        GroupNode.start(
            base, Options.groups(config, shared), options, Options.trust(config), roles);
    nodes.add(node);
    groups.bequeathAll(node.info().token(), node.info().log());
    node.groups().takeUp();
    return node;
  }

  /** The group nodes of this process. */
  public List<GroupNode> groupNodes() {
    return List.copyOf(nodes);
  }

  /** Ends a node of this process; others take its groups over. */
  public void closeNode(GroupNode node) {
    node.close();
    endedNodes.add(node.info().token());
    nodes.remove(node);
    if (nodes.isEmpty()) {
      groups.takeUpAll();
    }
  }

  /** What stands of a transaction; unlike {@link Transactions#outcome} it decides nothing. */
  public TransactionTraces traces(TransactionId id) {
    return transactions.percolator().traces(id);
  }

  /** As {@link #traces(TransactionId)}, when only the start timestamp is known. */
  public TransactionTraces traces(long start) {
    return transactions.percolator().traces(start);
  }

  /** Collects what no snapshot can need any more, and tells how that stands. */
  public Collector collector() {
    return transactions.percolator().collector();
  }

  /** What transactions under Percolator have done since this was opened. */
  public PercolatorStatistics percolatorStatistics() {
    return transactions.percolator().statistics();
  }

  /** What transactions under Omid have done since this was opened; empty while no table is its. */
  public Optional<OmidStatistics> omidStatistics() {
    return transactions.openOmid().map(OmidTransactions::statistics);
  }

  /** Registers an observer; its name identifies it over restarts. */
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

  /** Waits until every change has been observed; false when that takes longer. */
  public boolean awaitObserversIdle(Duration timeout) {
    return observers.awaitIdle(timeout);
  }

  public ObserverStats observerStats() {
    return observers.stats();
  }

  /** What operators see of observers and do with them. */
  public ObserverOperations observerOperations() {
    return observers.operations();
  }

  /** Which tables keep their changes, and how long. */
  public ChangeLogs changes() {
    return changes;
  }

  /**
   * The committed changes of a table in the order of their timestamps; {@link ChangeLogs#keep} has
   * them kept.
   *
   * @param since a position of this feed, or null for all that are kept
   * @throws io.braid.batch.changes.ChangesException when they are not kept, or not any more
   */
  public ChangeFeed changes(String table, @Nullable Position since) {
    return changes.feed(table, since);
  }

  /** What batch jobs need of this database. */
  public LoadContext loads() {
    return new LoadContext(
        store,
        transactions,
        new LoadedIndexes(registry, transactions),
        oracle,
        observers,
        seams,
        Options.limits(config),
        PercolatorOptions.defaults().smallValueBytes());
  }

  /** The store beneath, as it was opened. */
  public CellStore store() {
    return store instanceof TracedStore traced ? traced.untraced() : store;
  }

  public TimestampOracle oracle() {
    return oracle;
  }

  @Override
  public void close() {
    nodes.forEach(GroupNode::close);
    remoteGroups.ifPresent(RemoteGroups::close);
    changes.close();
    groups.close();
    groupLog.close();
    clock.close();
    follower.close();
    observers.close();
    transactions.close();
    leave.run();
    store.close();
  }

  private static TableSchema schema(String table, String... families) {
    if (families.length == 0) {
      throw new IllegalArgumentException("Table " + table + " needs at least one family.");
    }
    return Families.transactional(table, List.of(families));
  }

  private OmidTransactions openOmid(BraidConfig config, Seams seams) {
    return new OmidTransactions(store, manager.get(), oracle, seams, Options.omid(config));
  }
}
