package io.braid.simulation.cluster;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.time.BatchingOracle;
import io.braid.core.time.RisingOracle;
import io.braid.core.time.TimestampOracle;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.omid.manager.ManagerClient;
import io.braid.omid.manager.TransactionManager;
import io.braid.simulation.schedule.SimScheduler;
import io.braid.testkit.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A store, an oracle, a lock service, and the processes that use them. */
public final class SimCluster {
  private static final Duration CLOCK_PERIOD = Duration.ofMillis(50);

  private final SimScheduler scheduler;
  private final Faults faults;
  private final Network network;
  private final LockService locks;
  private final StoreServer store;
  private final OracleServer oracle;
  private final CheckedOracle.Received received = new CheckedOracle.Received();
  private final SimProcess keeper;
  private final List<SimProcess> mortals = new ArrayList<>();
  private @Nullable ManagerServer manager;
  private int oracles;
  private int managers;

  /**
   * @param oneMachine whether the processes that use the store die with its machine; if not, they
   *     outlive it, and the store has to sync what others only put in order
   */
  public SimCluster(
      SimScheduler scheduler,
      Faults faults,
      MemoryStore memory,
      boolean oneMachine,
      CellListener listener) {
    this.scheduler = scheduler;
    this.faults = faults;
    this.network = new Network(scheduler, faults);
    this.locks = new LockService(scheduler, faults);
    this.store =
        new StoreServer(
            memory,
            scheduler,
            faults,
            new CellWatch(listener),
            oneMachine,
            () -> mortals.forEach(SimProcess::crash));
    this.oracle =
        new OracleServer(scheduler, faults, () -> process("oracle-" + ++oracles, false), listener);
    this.keeper = process("store", false);
    memory.ensureTable(Families.system());
  }

  /** The process that nothing happens to: where the run itself is at home. */
  public SimProcess keeper() {
    return keeper;
  }

  /** Starts the oracle and the duty that advances the tablet clocks. */
  public void start() {
    oracle.takeOver();
    keeper.start("clock", this::advanceClocks);
  }

  /** The store asks the oracle itself: only so does a clock that was lost get a fresh timestamp. */
  private void advanceClocks() {
    Seams seams = keeper.seams();
    TimestampOracle fresh = oracle(keeper);
    while (true) {
      long lost = store.clocksLost();
      try {
        store.advanceClock(fresh.next(), lost);
      } catch (TimestampUnavailableException e) {
        // The next round tries again; meanwhile versions only lag.
      }
      seams.sleep(CLOCK_PERIOD);
    }
  }

  /**
   * Starts the transaction manager of Omid.
   *
   * @param cells how many the conflict map holds
   * @param tamper what is planted into a manager, and how many there were before it
   */
  public void startManager(
      int cells, BiFunction<TransactionManager, Integer, TransactionManager> tamper) {
    manager =
        new ManagerServer(
            scheduler,
            faults,
            () -> process("manager-" + ++managers, false),
            this::oracle,
            tamper,
            cells);
    manager.takeOver();
  }

  /** Whether the transaction manager answers. */
  public boolean hasManager() {
    return manager != null && manager.isReady();
  }

  /** The transaction manager as a process sees it, which begins transactions by itself. */
  public TransactionManager manager(SimProcess process, TimestampOracle timestamps) {
    ManagerServer server = Objects.requireNonNull(manager, "start it first");
    return new ManagerClient(
        timestamps, new SimManager(server, network, scheduler, process, faults));
  }

  /** Creates a table that begins with a tablet at each of these keys. */
  public void createTable(String table, Collection<String> families, List<Bytes> splits) {
    store.memory().ensureTable(Families.transactional(table, families));
    splits.forEach(key -> store.split(table, key));
  }

  /** A process that faults may hit. */
  public SimProcess process(String name) {
    SimProcess process = process(name, true);
    mortals.removeIf(SimProcess::isDead);
    mortals.add(process);
    return process;
  }

  private SimProcess process(String name, boolean mortal) {
    return new SimProcess(name, scheduler, faults, locks, mortal);
  }

  /** The store as a process sees it. */
  public CellStore store(SimProcess process) {
    return new SimStore(store, network, scheduler, process, faults);
  }

  /** The oracle as a process sees it, with its one pending request and its check. */
  public TimestampOracle oracle(SimProcess process) {
    TimestampOracle remote = new SimOracle(oracle, network, scheduler, process, faults);
    TimestampOracle shared = new BatchingOracle(remote, process.seams());
    return new CheckedOracle(new RisingOracle(shared), scheduler, received);
  }

  public StoreServer storeServer() {
    return store;
  }

  /** Whether a request is on its way that may still change something. */
  public boolean hasRequestsUnderWay() {
    return network.underWay() > 0;
  }
}
