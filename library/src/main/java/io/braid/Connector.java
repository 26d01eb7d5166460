package io.braid;

import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.time.TimestampOracle;
import io.braid.omid.manager.TransactionManager;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import org.apiguardian.api.API;

/**
 * Reaches a database that several processes share, for {@link Braid#connect Braid.connect}. A
 * provider of another kind of store implements it. {@link java.util.ServiceLoader} finds it on the
 * class path; the artifact {@code braid-connect-hbase} brings the one for HBase.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public interface Connector {
  /** The engine it knows, as in {@code --store hbase}. */
  String engine();

  /**
   * Connects to the database that the configuration names.
   *
   * @throws ConfigurationException when it names none
   * @throws io.braid.core.store.StoreException when it does not answer, or is none of Braid's
   */
  Connection connect(BraidConfig config);

  /**
   * Reaches a database that is not in use, to replace its tables by others.
   *
   * @throws ConfigurationException when the configuration names no database, or the engine cannot
   *     replace tables
   */
  default ExclusiveDatabase vacant(BraidConfig config) {
    throw new ConfigurationException("A database in " + engine() + " is restored otherwise.");
  }

  /**
   * The one on the class path.
   *
   * @throws ConfigurationException when there is none
   */
  static Connector find() {
    return ServiceLoader.load(Connector.class)
        .findFirst()
        .orElseThrow(
            () ->
                new ConfigurationException(
                    "Nothing on the class path connects to HBase: add the artifact"
                        + " io.braid:braid-connect-hbase, or use the launcher 'braid'."));
  }

  /**
   * A database that is about to get other tables.
   *
   * @param store is of {@link io.braid.core.store.FrozenTables}, too
   * @param others the processes that use the database, except this one, in words, looked up at each
   *     call
   * @param leave ends the participation; the store is closed after it
   */
  record ExclusiveDatabase(CellStore store, Supplier<List<String>> others, Runnable leave)
      implements AutoCloseable {
    @Override
    public void close() {
      leave.run();
      store.close();
    }
  }

  /**
   * The access of a process to a shared database.
   *
   * @param store with Braid's own table in it
   * @param oracle the one that all processes share
   * @param manager the transaction manager of Omid's protocol that all processes share
   * @param seams with the liveness and the locks of all processes
   * @param leave ends the participation; the store is closed after it
   * @param coordinator the leader, looked up at each call
   */
  record Connection(
      CellStore store,
      TimestampOracle oracle,
      TransactionManager manager,
      Seams seams,
      Runnable leave,
      Supplier<CoordinatorStatus> coordinator) {
    /** Creates a connection where the leader cannot be looked up. */
    public Connection(
        CellStore store,
        TimestampOracle oracle,
        TransactionManager manager,
        Seams seams,
        Runnable leave) {
      this(
          store,
          oracle,
          manager,
          seams,
          leave,
          () -> new CoordinatorStatus(false, true, List.of(), Map.of()));
    }
  }
}
