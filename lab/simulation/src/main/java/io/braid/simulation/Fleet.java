package io.braid.simulation;

import io.braid.simulation.cluster.SimProcess;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.schedule.SimulationFailure;
import io.braid.simulation.workload.Client;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The processes of a scenario: started, started again when they have died, stopped, and everything
 * brought to rest. Its methods are for the root task.
 */
final class Fleet {
  private static final long MEAN_RESTART_NANOS = Duration.ofMillis(800).toNanos();
  private static final Duration TICK = Duration.ofMillis(100);
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final World world;
  private final Settings settings;
  private final Opener opener;
  private final SimRandom random;
  private final Consumer<Node> opened;
  private final Consumer<Client> step;
  private final List<Node> nodes = new ArrayList<>();
  private long identities;
  private int activeClients;
  private int joining;
  private boolean clientsStop;
  private boolean closing;

  /**
   * @param opener opens the database in a process
   * @param opened called in each process when its database is open, before its clients begin
   * @param step what a client does, again and again
   */
  Fleet(
      World world, Settings settings, Opener opener, Consumer<Node> opened, Consumer<Client> step) {
    this.world = world;
    this.settings = settings;
    this.opener = opener;
    this.random = world.random().split();
    this.opened = opened;
    this.step = step;
  }

  // Processes and their clients.

  /** Starts all processes; from now on things go wrong. */
  void start() {
    world.faults().quiet(false);
    for (int i = 0; i < settings.nodes(); i++) {
      start(i, 0);
    }
  }

  private void start(int number, int life) {
    if (closing) {
      return;
    }
    SimProcess process = world.cluster().process("node-" + number + "." + life);
    process.afterDeath(
        () ->
            world
                .scheduler()
                .after(random.around(MEAN_RESTART_NANOS), () -> start(number, life + 1)));
    process.start("main", () -> serve(process));
  }

  private void serve(SimProcess process) {
    joining++;
    try {
      join(process);
    } finally {
      joining--;
    }
  }

  private void join(SimProcess process) {
    Node node = opener.open(process);
    nodes.add(node);
    if (closing) {
      // It has joined while the others were closed.
      node.close();
      return;
    }
    opened.accept(node);
    for (int i = 0; i < settings.clients(); i++) {
      Client client = client(node);
      process.seams().start("client-" + i, () -> work(client));
    }
  }

  private Client client(Node node) {
    Client client =
        new Client(
            node.transactions(),
            node.process().seams(),
            random.split(),
            settings.transactions().locks().ttl(),
            () -> ++identities);
    client.acceptStaleness(settings.staleness());
    return client;
  }

  private void work(Client client) {
    activeClients++;
    try {
      while (!clientsStop) {
        client.seams().sleep(Duration.ofNanos(client.random().around(settings.think().toNanos())));
        step.accept(client);
      }
    } finally {
      activeClients--;
    }
  }

  // Coming to rest.

  /** From now on nothing goes wrong, no client begins anything, and what was sent has arrived. */
  void stopClients() {
    world.faults().quiet(true);
    clientsStop = true;
    await("clients", () -> activeClients == 0);
    await("requests", () -> !world.cluster().hasRequestsUnderWay());
  }

  /** Ends all processes, as good processes end. */
  void close() {
    closing = true;
    await("processes that join", () -> joining == 0);
    for (Node node : nodes) {
      if (!node.process().isDead()) {
        node.process().start("close", node::close);
      }
    }
    await("processes", () -> nodes.stream().allMatch(node -> node.process().isDead()));
    await("requests", () -> !world.cluster().hasRequestsUnderWay());
  }

  /** One process cleans up after all others, until no intent is left. */
  void sweep() {
    SimProcess process = world.cluster().process("sweeper");
    process.start(
        "main",
        () -> {
          Node node = opener.sweep(process);
          while (world.probe().hasIntents()) {
            process.seams().sleep(TICK);
          }
          node.close();
        });
    await("the sweeper", process::isDead);
    world.probe().checkAtRest();
  }

  /** Does something in a process of its own, and waits for its end. */
  void visit(String name, Consumer<Node> body, Consumer<Client> work) {
    SimProcess process = world.cluster().process(name);
    process.start(
        "main",
        () -> {
          Node node = opener.visit(process);
          body.accept(node);
          work.accept(client(node));
          node.close();
        });
    await(name, process::isDead);
  }

  void await(String what, BooleanSupplier condition) {
    await(() -> what, condition);
  }

  /**
   * Lets time pass until a condition holds.
   *
   * @param what describes the condition, if it takes too long
   */
  void await(Supplier<String> what, BooleanSupplier condition) {
    long deadline = world.scheduler().now() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (world.scheduler().now() > deadline) {
        throw new SimulationFailure(
            "Not at rest after "
                + PATIENCE
                + ": still waiting for "
                + what.get()
                + ". "
                + world.probe().leftOver());
      }
      sleep(TICK);
    }
  }

  /** Lets time pass. */
  void sleep(Duration duration) {
    world.cluster().keeper().seams().sleep(duration);
  }
}
