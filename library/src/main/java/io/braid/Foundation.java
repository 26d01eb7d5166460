package io.braid;

import io.braid.core.cells.Families;
import io.braid.core.runtime.OpenResources;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.time.IssuedStore;
import io.braid.core.time.LocalOracle;
import io.braid.core.time.RisingOracle;
import io.braid.core.time.StoreTimestampBound;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.Transactions;
import io.braid.groups.log.FileGroupLog;
import io.braid.groups.log.GroupLog;
import io.braid.groups.log.HadoopGroupLog;
import io.braid.groups.log.LogBrokenException;
import io.braid.groups.log.StoreGroupLog;
import io.braid.indexes.IndexRegistry;
import io.braid.omid.OmidTransactions;
import io.braid.omid.manager.LocalTransactionManager;
import io.braid.omid.manager.TransactionManager;
import io.braid.percolator.PercolatorTransactions;
import io.braid.store.rocksdb.RocksStore;
import io.braid.tables.BoundTransactions;
import io.braid.tables.TableBindings;
import io.braid.tracing.TracedStore;
import io.braid.tracing.TracedTransactions;
import io.braid.tracing.Tracing;
import io.opentelemetry.api.OpenTelemetry;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The parts under a database: a store, the source of timestamps, the manager that decides commits
 * of Omid's protocol, and the surroundings. They belong to one process alone, or are shared with
 * others.
 *
 * @param manager requested when the first table is bound to Omid
 * @param shared whether other processes have the same database
 * @param coordinator the leader of the processes
 * @param opened everything that is closed at the end, the store last. When something cannot be
 *     opened, the creator of this record closes it
 */
record Foundation(
    CellStore store,
    TimestampOracle oracle,
    BraidConfig config,
    Seams seams,
    Supplier<TransactionManager> manager,
    boolean shared,
    Supplier<CoordinatorStatus> coordinator,
    OpenResources opened,
    LogOpener logs,
    Optional<Tracing> tracing) {

  Foundation {
    store = new IssuedStore(store, oracle);
  }

  /** Returns the store as it was opened, without the wrappers around it. */
  CellStore beneath() {
    CellStore beneath = ((IssuedStore) store).beneath();
    return beneath instanceof TracedStore traced ? traced.untraced() : beneath;
  }

  /** Keeps a part until the database is closed; parts are closed in reverse order. */
  <T> T keep(T part, Consumer<T> close) {
    return opened.keep(part, close);
  }

  /** Opens transactions over tables of both protocols. */
  BoundTransactions transactions(TableBindings bindings, IndexRegistry indexes) {
    PercolatorTransactions percolator =
        new PercolatorTransactions(
            store, oracle, seams, Options.percolator(config), Options.collection(config));
    return new BoundTransactions(store, bindings, indexes, percolator, this::omid, seams);
  }

  private OmidTransactions omid() {
    return new OmidTransactions(store, manager.get(), oracle, seams, Options.omid(config));
  }

  /** Returns the transactions as clients use them: traced where that is wanted. */
  Transactions traced(BoundTransactions transactions) {
    return tracing
        .<Transactions>map(by -> new TracedTransactions(transactions, by, seams))
        .orElse(transactions);
  }

  /** Where groups log. */
  interface LogOpener {
    GroupLog open(CellStore store, BraidConfig config, Seams seams);

    /** Opens the log where the settings say; by default, where this opener does. */
    default GroupLog openConfigured(CellStore store, BraidConfig config, Seams seams) {
      String folder = config.get(Setting.GROUP_LOG);
      if (folder.equals(Setting.GROUP_LOG.defaultText())) {
        return open(store, config, seams);
      }
      try {
        return HadoopGroupLog.open(
            store,
            URI.create(folder),
            config.get(Setting.GROUP_LOG_FILES),
            config.get(Setting.DURABILITY),
            config.get(Setting.GROUP_LOG_SIZE),
            seams);
      } catch (NoClassDefFoundError e) {
        throw new ConfigurationException(
            "groups.log = "
                + folder
                + " needs Hadoop's client on the class path: add"
                + " org.apache.hadoop:hadoop-client-api and hadoop-client-runtime.");
      } catch (IllegalArgumentException | LogBrokenException e) {
        throw new ConfigurationException("groups.log = " + folder + ": " + e.getMessage());
      }
    }

    LogOpener IN_STORE =
        (store, config, seams) -> new StoreGroupLog(store, config.get(Setting.DURABILITY), seams);

    /**
     * Returns an opener of logs beside the data of a store, while its directory is this process's
     * own.
     */
    static LogOpener beside(RocksStore owner, Path directory) {
      return (store, config, seams) ->
          new FileGroupLog(
              directory.resolve("groups"),
              config.get(Setting.GROUP_LOG_FILES),
              config.get(Setting.DURABILITY) == Durability.SYNCED,
              config.get(Setting.GROUP_LOG_SIZE),
              seams,
              owner::requireOwned);
    }
  }

  /** A database of this process alone; closes the store if it cannot be one. */
  static Braid alone(
      CellStore opened, BraidConfig config, Seams seams, LogOpener logs, OpenTelemetry telemetry) {
    Optional<Tracing> tracing = Tracing.by(telemetry);
    CellStore store = tracing.map(by -> by.store(opened)).orElse(opened);
    OpenResources all = new OpenResources();
    all.keep(store, CellStore::close);
    try {
      store.ensureTable(Families.system());
      TimestampOracle oracle =
          new RisingOracle(new LocalOracle(new StoreTimestampBound(store), seams));
      return new Braid(
          new Foundation(
              store,
              oracle,
              config.checked(),
              seams,
              () -> new LocalTransactionManager(oracle, config.conflictCells()),
              false,
              () -> CoordinatorStatus.ALONE,
              all,
              logs,
              tracing));
    } catch (RuntimeException | Error e) {
      all.closeAfter(e);
      throw e;
    }
  }

  /** A database that several processes have; leaves and closes it if that cannot be. */
  static Braid shared(Connector.Connection to, BraidConfig config) {
    OpenResources all = new OpenResources();
    all.keep(to.store(), CellStore::close);
    all.keep(to.leave(), Runnable::run);
    try {
      return new Braid(
          new Foundation(
              to.store(),
              to.oracle(),
              config,
              to.seams(),
              to::manager,
              true,
              to.coordinator(),
              all,
              LogOpener.IN_STORE,
              Optional.empty()));
    } catch (RuntimeException | Error e) {
      all.closeAfter(e);
      throw e;
    }
  }
}
