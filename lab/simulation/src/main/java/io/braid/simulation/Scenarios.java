package io.braid.simulation;

import io.braid.percolator.garbage.CollectionOptions;
import io.braid.simulation.cluster.Fault;
import io.braid.simulation.cluster.Faults;
import io.braid.simulation.cluster.SimCluster;
import io.braid.simulation.cluster.Tampering;
import io.braid.simulation.probe.OwnershipWatch;
import io.braid.simulation.probe.ProtocolProbe;
import io.braid.simulation.probe.RecordBook;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.schedule.SimScheduler;
import io.braid.testkit.MemoryOptions;
import io.braid.testkit.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The scenarios by their names. */
public final class Scenarios {
  /** Lists, accounts and a set, used by several processes at once. */
  public static final String PERCOLATOR = "percolator";

  /** Like {@link #PERCOLATOR}, while every process collects garbage. */
  public static final String GARBAGE = "garbage";

  /**
   * Like {@link #PERCOLATOR}, with transactions that outgrow their memory; garbage is collected.
   */
  public static final String STREAMED = "streamed";

  /** Omid's protocol: regular transactions and the fast path. */
  public static final String OMID = "omid";

  /** A chain of observers, run by several processes. */
  public static final String OBSERVERS = "observers";

  /** Nodes of the grouping protocol that take keys from each other. */
  public static final String GROUPS = "groups";

  /** Group nodes over a store, and clients in other processes. */
  public static final String GROUP_NODES = "group-nodes";

  /** Like {@link #PERCOLATOR} or {@link #OMID}, while every process follows the change feeds. */
  public static final String CHANGES = "changes";

  /**
   * Like {@link #OBSERVERS}, while operators pause, resume and backfill them, and rates are low.
   */
  public static final String OPERATED = "operated";

  /** Atomic and snapshot loads, while others write and read what they load. */
  public static final String LOADS = "loads";

  /** A local index whose parts follow the tablets of its table. */
  public static final String INDEXES = "indexes";

  /** Nodes with a read-write store whose partitions move. */
  public static final String SERVING = "serving";

  /** Nodes that versions of built stores are pushed to, and rolled back on. */
  public static final String PUSHES = "pushes";

  /** Few rows that all want, in tablets that merge, split and move all the time. */
  public static final String TABLETS = "tablets";

  /** All strands in one cluster, over tables of both protocols. */
  public static final String TOGETHER = "together";

  private static final Duration REST = Duration.ofMinutes(20);

  private Scenarios() {}

  /** Those in which nothing is committed: in one phase or two, their runs are the same. */
  private static final Set<String> WITHOUT_COMMITS = Set.of(GROUPS, SERVING, PUSHES);

  /** Whether the runs of a scenario differ by {@link SimulationOptions#onePhase}. */
  public static boolean commits(String scenario) {
    return !WITHOUT_COMMITS.contains(scenario);
  }

  public static List<String> names() {
    return List.of(
        PERCOLATOR,
        GARBAGE,
        STREAMED,
        OBSERVERS,
        OPERATED,
        GROUPS,
        GROUP_NODES,
        OMID,
        CHANGES,
        LOADS,
        INDEXES,
        SERVING,
        PUSHES,
        TABLETS,
        TOGETHER);
  }

  /** Garbage has a scenario of its own, and is collected in many runs of others. */
  private static boolean collects(SimulationOptions options, SimRandom random) {
    return options.scenario().equals(GARBAGE)
        || (options.scenario().equals(CHANGES) && random.nextInt(2) == 0)
        || (options.scenario().equals(INDEXES) && random.nextInt(2) == 0)
        || (options.scenario().equals(TOGETHER) && random.nextInt(2) == 0)
        || (options.scenario().equals(STREAMED) && random.nextInt(3) == 0)
        || (options.scenario().equals(OBSERVERS) && random.nextInt(3) > 0);
  }

  /** A scenario in its world. */
  record Run(World world, Scenario scenario) {}

  /** Sets everything up for a run. */
  static Run begin(SimulationOptions options, Tampering tampering, SimScheduler scheduler) {
    if (!names().contains(options.scenario())) {
      throw new IllegalArgumentException(
          "There is no scenario '" + options.scenario() + "': use one of " + names() + ".");
    }
    SimRandom random = scheduler.random().split();
    Settings drawn = Settings.drawn(random.split(), options.onePhase());
    Settings settings = collects(options, random) ? drawn.collecting(random.split()) : drawn;
    if (options.scenario().equals(STREAMED)) {
      settings = settings.streaming(random.split());
    }
    if (options.scenario().equals(TABLETS)) {
      settings = settings.crowded(random.split());
    }
    Faults faults =
        Faults.drawn(random.split(), settings.synced() ? Set.of() : Set.of(Fault.STORE_CRASHED));
    if (options.scenario().equals(GROUPS)) {
      faults = harsher(random.split(), faults);
    }
    if (options.scenario().equals(SERVING)) {
      faults = ServingScenario.harsher(random.split(), faults);
    }
    if (options.scenario().equals(PUSHES)) {
      faults = PushScenario.harsher(random.split(), faults);
    }
    if (options.scenario().equals(OBSERVERS) && settings.garbage() == CollectionOptions.OFF) {
      // Transactions whose changes are there already are decided while observers deal with others.
      settings = settings.streaming(random.split());
    }
    if (options.scenario().equals(GROUP_NODES)) {
      faults = troubled(random.split(), faults);
    }
    faults.quiet(true);
    MemoryOptions storeOptions = MemoryOptions.defaults().reach(settings.reach());
    MemoryStore memory = new MemoryStore(settings.synced() ? storeOptions.withLog() : storeOptions);
    ProtocolProbe probe = new ProtocolProbe(memory);
    RecordBook book = new RecordBook(probe);
    boolean feeds = options.scenario().equals(CHANGES);
    OwnershipWatch owners = new OwnershipWatch(probe, memory);
    SimCluster cluster =
        new SimCluster(
            scheduler,
            faults,
            memory,
            settings.oneMachine(),
            feeds ? book : hasGroups(options) ? owners : probe);
    scheduler.endOfTime(options.duration().plus(REST));
    World world =
        new World(
            options, tampering, scheduler, random, faults, memory, probe, cluster, new RunFiles());
    return new Run(
        world, feeds ? changes(world, settings, book) : scenario(world, settings, owners));
  }

  private static boolean hasGroups(SimulationOptions options) {
    return options.scenario().equals(GROUP_NODES) || options.scenario().equals(TOGETHER);
  }

  private static Scenario changes(World world, Settings settings, RecordBook book) {
    FeedWatch feeds = new FeedWatch(world, book);
    return world.random().nextInt(3) == 0
        ? new OmidScenario(world, settings, feeds)
        : new PercolatorScenario(world, settings, feeds);
  }

  private static Scenario scenario(World world, Settings settings, OwnershipWatch owners) {
    return switch (world.options().scenario()) {
      case OBSERVERS -> new ObserverScenario(world, settings, false);
      case OPERATED -> new ObserverScenario(world, settings, true);
      case GROUPS -> new GroupScenario(world);
      case GROUP_NODES -> new GroupNodeScenario(world, settings, owners);
      case TOGETHER -> new TogetherScenario(world, settings, owners);
      case OMID -> new OmidScenario(world, settings, null);
      case LOADS -> new LoadScenario(world, settings);
      case SERVING -> new ServingScenario(world);
      case PUSHES -> new PushScenario(world);
      case TABLETS -> new TabletScenario(world, settings);
      case INDEXES -> new IndexScenario(world, settings);
      default -> new PercolatorScenario(world, settings, null);
    };
  }

  /** Leaders are to be lost, and taken for dead, more often than other processes. */
  private static Faults troubled(SimRandom random, Faults faults) {
    Faults troubled = faults.with(Fault.SESSION_LOST, random.nextInt(4) == 0 ? 0 : 1);
    for (Fault fault : List.of(Fault.PROCESS_PAUSED, Fault.PROCESS_CRASHED, Fault.CUT_OFF)) {
      troubled = troubled.with(fault, random.nextInt(3) == 0 ? 0 : 0.004 * random.nextDouble());
    }
    return troubled;
  }

  /** Messages between nodes are few: more goes wrong with each. */
  private static Faults harsher(SimRandom random, Faults faults) {
    Faults harsh = faults;
    for (Fault fault : GroupScenario.FAULTS) {
      boolean ofMachines = fault == Fault.PROCESS_CRASHED || fault == Fault.CUT_OFF;
      double worst = ofMachines ? 0.02 : 0.3;
      harsh = harsh.with(fault, random.nextInt(3) == 0 ? 0 : worst * random.nextDouble());
    }
    return harsh;
  }
}
