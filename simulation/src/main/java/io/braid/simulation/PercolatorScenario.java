package io.braid.simulation;

import io.braid.core.data.Bytes;
import io.braid.percolator.PercolatorOptions;
import io.braid.simulation.cluster.SimProcess;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.schedule.SimulationFailure;
import io.braid.simulation.workload.AppendWorkload;
import io.braid.simulation.workload.BankWorkload;
import io.braid.simulation.workload.Client;
import io.braid.simulation.workload.Journal;
import io.braid.simulation.workload.Keys;
import io.braid.simulation.workload.MemberWorkload;
import io.braid.simulation.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Several processes run transactions on lists, accounts and a set, over at least eight tablets
 * each, while whatever can go wrong does. Then nothing goes wrong any more, everything has to come
 * to rest, and all is read once more.
 */
final class PercolatorScenario implements Scenario {
  private static final long MEAN_RESTART_NANOS = Duration.ofMillis(800).toNanos();
  private static final Duration TICK = Duration.ofMillis(100);
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final World world;
  private final Settings settings;
  private final SimRandom random;
  private final List<Workload> workloads;
  private final List<Node> nodes = new ArrayList<>();
  private long identities;
  private int activeClients;
  private boolean stopping;

  PercolatorScenario(World world, Settings settings) {
    this.world = world;
    this.settings = settings;
    this.random = world.random();
    this.workloads =
        List.of(
            new AppendWorkload(new Journal(world.scheduler()::now), settings.slots()),
            new BankWorkload(new Journal(world.scheduler()::now), settings.accounts()),
            new MemberWorkload(new Journal(world.scheduler()::now)));
  }

  @Override
  public String settings() {
    return settings.toString();
  }

  @Override
  public void run() {
    createTables();
    world.cluster().start();
    visit("prepare", (workload, client) -> workload.prepare(client));
    world.faults().quiet(false);
    for (int i = 0; i < settings.nodes(); i++) {
      startNode(i, 0);
    }
    keeperSleeps(world.options().duration());
    comeToRest();
    visit("audit", (workload, client) -> workload.audit(client));
    world.probe().checkAtRest();
  }

  private void createTables() {
    List<Bytes> splits = Keys.splits(settings.slots());
    AppendWorkload.TABLES.forEach(
        table -> world.cluster().createTable(table, List.of(AppendWorkload.FAMILY), splits));
    world
        .cluster()
        .createTable(
            BankWorkload.TABLE, List.of(BankWorkload.FAMILY), Keys.splits(settings.accounts()));
    world
        .cluster()
        .createTable(
            MemberWorkload.TABLE,
            List.of(MemberWorkload.FAMILY),
            Keys.splits(MemberWorkload.SPACE));
  }

  List<Workload> workloads() {
    return workloads;
  }

  // Processes and their clients.

  private void startNode(int number, int life) {
    if (stopping) {
      return;
    }
    SimProcess process = world.cluster().process("node-" + number + "." + life);
    process.afterDeath(
        () ->
            world
                .scheduler()
                .after(random.around(MEAN_RESTART_NANOS), () -> startNode(number, life + 1)));
    process.start("main", () -> serve(process));
  }

  private void serve(SimProcess process) {
    Node node = Node.open(world, process, settings.transactions());
    nodes.add(node);
    for (int i = 0; i < settings.clients(); i++) {
      Client client = client(node);
      process.seams().start("client-" + i, () -> work(client));
    }
  }

  private Client client(Node node) {
    Duration longPause = settings.transactions().locks().ttl();
    return new Client(
        node.transactions(), node.process().seams(), random.split(), longPause, () -> ++identities);
  }

  private void work(Client client) {
    activeClients++;
    try {
      while (!stopping) {
        client.seams().sleep(Duration.ofNanos(client.random().around(settings.think().toNanos())));
        workloads.get(client.random().nextInt(workloads.size())).step(client);
      }
    } finally {
      activeClients--;
    }
  }

  // Coming to rest.

  private void comeToRest() {
    world.faults().quiet(true);
    stopping = true;
    await("clients", () -> activeClients == 0);
    for (Node node : nodes) {
      if (!node.process().isDead()) {
        node.process().start("close", node::close);
      }
    }
    await("processes", () -> nodes.stream().allMatch(node -> node.process().isDead()));
    await("requests", () -> !world.cluster().hasRequestsUnderWay());
    sweep();
  }

  /** One process cleans up after all others. */
  private void sweep() {
    PercolatorOptions options =
        settings.transactions().duties(new PercolatorOptions.Duties(1, Duration.ofSeconds(1), 100));
    SimProcess process = world.cluster().process("sweeper");
    process.start(
        "main",
        () -> {
          Node node = Node.open(world, process, options);
          while (world.probe().hasIntents()) {
            process.seams().sleep(TICK);
          }
          node.close();
        });
    await("the sweeper", process::isDead);
  }

  private void await(String what, BooleanSupplier condition) {
    long deadline = world.scheduler().now() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (world.scheduler().now() > deadline) {
        world.probe().checkAtRest();
        throw new SimulationFailure(
            "Not at rest after " + PATIENCE + ": still waiting for " + what);
      }
      keeperSleeps(TICK);
    }
  }

  private void keeperSleeps(Duration duration) {
    world.cluster().keeper().seams().sleep(duration);
  }

  /** Something that is done with each workload while nothing goes wrong. */
  private interface Visit {
    void run(Workload workload, Client client);
  }

  private void visit(String name, Visit visit) {
    SimProcess process = world.cluster().process(name);
    process.start(
        "main",
        () -> {
          Node node = Node.open(world, process, settings.transactions());
          Client client = client(node);
          workloads.forEach(workload -> visit.run(workload, client));
          node.close();
        });
    await(name, process::isDead);
  }

  // What came of it.

  @Override
  public List<String> judge() {
    Judgement judgement = new Judgement(world.probe());
    List<String> wrong = new ArrayList<>();
    for (Workload workload : workloads) {
      wrong.addAll(judgement.of(workload));
    }
    return wrong;
  }

  @Override
  public Map<String, Long> operations() {
    Map<String, Long> operations = new LinkedHashMap<>();
    for (Workload workload : workloads) {
      workload
          .journal()
          .counts()
          .forEach(
              (type, count) ->
                  operations.put(
                      workload.name() + "-" + type.name().toLowerCase(Locale.ROOT), count));
    }
    operations.put("commits", world.probe().commits());
    return operations;
  }
}
