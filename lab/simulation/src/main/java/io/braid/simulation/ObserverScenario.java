package io.braid.simulation;

import io.braid.core.store.StoreException;
import io.braid.observers.Observer;
import io.braid.observers.ObserverOptions;
import io.braid.observers.Observers;
import io.braid.percolator.garbage.CollectionOptions;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.workload.Client;
import io.braid.simulation.workload.Journal;
import io.braid.simulation.workload.Keys;
import io.braid.simulation.workload.Pipeline;
import io.braid.testkit.history.HistoryEntry.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A chain of observers, run by several processes that die in the middle of it (Faults 29 to 33,
 * 35). At the end no notification is left, each change was dealt with, and none twice. In some runs
 * changes become dead letters after a few attempts, and one observer fails at some pages until the
 * end of the load. Operators replay the dead letters all the while, and at the end until none is
 * left. In runs without collections transactions are streamed, and all write the same page for a
 * moment, then another one. So changes meet the processes that deal with earlier ones, also the
 * last change of a page. In a third of the runs an observer triggers itself, until the load is over
 * (Fault 34). In a third the tables are bound to Omid's protocol.
 */
final class ObserverScenario implements Scenario {
  private static final Duration PAUSE = Duration.ofMillis(50);

  /** The number of pages when clients crowd; each page is written for a moment only. */
  private static final int MANY = 200;

  private final World world;
  private final Settings settings;
  private final ObserverOptions options;
  private final Pipeline pipeline;
  private final boolean crowded;
  private final Fleet fleet;
  private final SimRandom random;
  private final List<String> wrong = new ArrayList<>();
  private final boolean operated;
  private final Operators operators;
  private final boolean loops;
  private final LoopWatch loop;
  private final boolean omid;
  private final OmidSettings omidSettings;

  /**
   * @param operated whether observers are paused, resumed, backfilled and held back all the while
   */
  ObserverScenario(World world, Settings settings, boolean operated) {
    this.operated = operated;
    this.world = world;
    this.settings = settings;
    this.random = world.random().split();
    ObserverOptions drawn = ObserverSettings.drawn(random);
    ObserverOptions bounded = operated ? ObserverSettings.bounded(drawn, random) : drawn;
    SimRandom looping = world.random().split();
    this.loops = looping.nextInt(3) == 0;
    this.options = loops ? ObserverSettings.looping(bounded, looping) : bounded;
    this.operators = new Operators(random, operated, Pipeline.STRONG);
    // With garbage collection, a look at so many pages would be too slow.
    this.crowded = !operated && settings.garbage() == CollectionOptions.OFF;
    Journal journal = new Journal(world.scheduler()::now);
    this.pipeline = new Pipeline(journal, crowded ? MANY : settings.slots());
    pipeline.crowd(crowded);
    this.loop = new LoopWatch(pipeline, options.bounds().runsPerRow());
    SimRandom ofProtocol = world.random().split();
    this.omid = ofProtocol.nextInt(3) == 0;
    this.omidSettings = OmidSettings.drawn(ofProtocol, settings, world.options());
    Opener opener =
        omid ? new OmidOpener(world, omidSettings) : new PercolatorOpener(world, settings);
    this.fleet = new Fleet(world, settings, opener, this::serve, pipeline::step);
  }

  @Override
  public String settings() {
    return settings
        + ", "
        + options.workers()
        + " workers, "
        + options.scanners()
        + " scanners, "
        + options.hintQueueCapacity()
        + " hints, "
        + (ObserverSettings.writesDeadLetters(options)
            ? "dead letters after " + options.retries().attempts() + " attempts"
            : "no dead letters")
        + (crowded ? ", crowded" : "")
        + (loops ? ", a loop" : "")
        + (operated || loops ? ", " + options.bounds() : "")
        + (omid ? "; " + omidSettings : "; percolator");
  }

  @Override
  public int tablets() {
    return world.tablets(Pipeline.TABLE);
  }

  @Override
  public void run() {
    world
        .cluster()
        .createTable(Pipeline.TABLE, List.of(Pipeline.FAMILY), Keys.splits(settings.slots()));
    world.cluster().createTable(Pipeline.GROUPS, List.of(Pipeline.FAMILY), List.of());
    world.cluster().start();
    if (omid) {
      world.cluster().startManager(omidSettings.cells(), world.tampering()::manager);
      fleet.await("the manager", world.cluster()::hasManager);
    }
    pipeline.spin(loops);
    fleet.visit("prepare", this::serve, this::prepare);
    pipeline.poison(ObserverSettings.writesDeadLetters(options));
    fleet.start();
    fleet.sleep(world.options().duration());
    fleet.stopClients();
    pipeline.spin(false);
    if (operated) {
      operators.stop();
      fleet.await("operators", operators::haveStopped);
      fleet.visit("operator", node -> operators.tidyUp(node, open(node)), client -> {});
    }
    fleet.await("observers", () -> !world.probe().hasNotifications());
    if (ObserverSettings.writesDeadLetters(options)) {
      operators.stop();
      fleet.await("operators", () -> operators.haveStopped() && !world.probe().hasNotifications());
      fleet.visit("inspector", node -> {}, this::inspect);
      pipeline.poison(false);
      replayAll();
    }
    fleet.close();
    fleet.sweep();
    fleet.visit("audit", node -> {}, this::audit);
    world.probe().checkAtRest();
  }

  private void prepare(Client client) {
    if (loops) {
      pipeline.beginSpinning(client);
    }
  }

  private void audit(Client client) {
    wrong.addAll(pipeline.audit(client));
    wrong.addAll(loop.judge(pipeline.spun(client)));
  }

  /** Checks that every change that is not a dead letter has been dealt with. */
  private void inspect(Client client) {
    wrong.addAll(pipeline.audit(client, world.probe().deadLetters(Pipeline::deadLetter)));
  }

  private void replayAll() {
    while (world.probe().hasDeadLetters()) {
      fleet.visit("operator", node -> operators.replay(node, open(node)), client -> {});
      fleet.await("observers", () -> !world.probe().hasNotifications());
    }
  }

  /** Runs observers in a process until it ends. */
  private void serve(Node node) {
    Observers observers = open(node);
    node.closeFirst(observers::close);
    SimRandom failures = random.split();
    for (Observer observer : pipeline.observers(failures)) {
      register(node, observers, observer);
    }
    observers.start();
    if (loops) {
      node.seams().start("loop-watch", () -> loop.look(node, observers));
    }
    if (ObserverSettings.writesDeadLetters(options) || operated) {
      node.seams().start("operator", () -> operators.work(node, observers));
    }
  }

  private Observers open(Node node) {
    return open(node, options);
  }

  /** Opens observers in a process, however often that has to be tried. */
  static Observers open(Node node, ObserverOptions options) {
    while (true) {
      try {
        return new Observers(node.store(), node.transactions(), node.seams(), options);
      } catch (StoreException e) {
        node.seams().sleep(PAUSE);
      }
    }
  }

  /** Registers an observer, however often that has to be tried. */
  static void register(Node node, Observers observers, Observer observer) {
    while (true) {
      try {
        observers.register(observer);
        return;
      } catch (StoreException e) {
        node.seams().sleep(PAUSE);
      }
    }
  }

  @Override
  public List<String> judge() {
    return wrong;
  }

  @Override
  public Map<String, Long> operations() {
    Map<String, Long> operations = new LinkedHashMap<>();
    for (Type type : Type.values()) {
      operations.put(
          "changes-" + type.name().toLowerCase(Locale.ROOT),
          pipeline.journal().counts().getOrDefault(type, 0L));
    }
    operations.put("conflicts", pipeline.journal().conflicts());
    operations.put("replayed", operators.replayed());
    operations.put("loops-reported", loop.reports());
    if (operated) {
      operations.put("paused", operators.paused());
      operations.put("backfills", operators.backfills());
    }
    world.probe().count(operations);
    return operations;
  }
}
