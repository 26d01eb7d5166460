package io.braid.simulation;

import io.braid.core.data.Row;
import io.braid.groups.protocol.Envelope;
import io.braid.groups.protocol.Messaging;
import io.braid.groups.protocol.ProtocolOptions;
import io.braid.simulation.cluster.Fault;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.schedule.SimulationFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Several nodes speak the grouping protocol over a network that loses, repeats and delays, and die
 * at any step, while clients create and delete groups of keys that overlap. After every event each
 * key is looked at: never do two claim it. In the end every key has to be free.
 */
final class GroupScenario implements Scenario {
  /** The faults that may strike here. */
  static final List<Fault> FAULTS =
      List.of(
          Fault.REQUEST_LOST,
          Fault.DELIVERED_LATE,
          Fault.RESENT,
          Fault.RESENT_LATE,
          Fault.SLOW,
          Fault.CUT_OFF,
          Fault.PROCESS_CRASHED);

  private static final Duration TICK = Duration.ofMillis(200);
  private static final Duration REST = Duration.ofMinutes(2);

  private final World world;
  private final Map<String, GroupMachine> machines = new TreeMap<>();
  private final List<GroupClient> clients = new ArrayList<>();
  private final List<Row> keys = new ArrayList<>();
  private final ProtocolOptions options;
  private final GroupNetwork network;
  private boolean stopping;
  private long checks;

  GroupScenario(World world) {
    this.world = world;
    SimRandom random = world.random().split();
    boolean reliable = random.nextInt(6) == 0;
    this.options =
        new ProtocolOptions(
            reliable ? Messaging.RELIABLE : Messaging.UNRELIABLE,
            Duration.ofMillis(20 + random.nextInt(300)),
            Duration.ofMillis(500 + random.nextInt(2000)));
    this.network = new GroupNetwork(world, reliable, this::receive);
    int nodes = 1 + random.nextInt(5);
    int keyCount = 6 + random.nextInt(24);
    for (int i = 0; i < keyCount; i++) {
      keys.add(Row.of("players", String.valueOf(i)));
    }
    for (int i = 0; i < nodes; i++) {
      String name = "node-" + i;
      machines.put(name, new GroupMachine(world, name, this::ownerOf, options, network::send));
    }
    int clientCount = 1 + random.nextInt(6);
    for (int i = 0; i < clientCount; i++) {
      clients.add(new GroupClient(world, "client-" + i, keys, this));
    }
  }

  private String ownerOf(Row key) {
    return "node-" + Math.floorMod(Integer.parseInt(key.key().toUtf8()) * 7, machineCount());
  }

  private int machineCount() {
    return Math.max(1, machines.size());
  }

  GroupMachine of(Row leader) {
    return Objects.requireNonNull(machines.get(ownerOf(leader)));
  }

  boolean isStopping() {
    return stopping;
  }

  private void receive(Envelope envelope) {
    Objects.requireNonNull(machines.get(envelope.to())).receive(envelope);
    check();
  }

  /** No key has two owners. */
  private void check() {
    checks++;
    for (Row key : keys) {
      int owners = of(key).node().yieldedTo(key) == null ? 1 : 0;
      for (GroupMachine machine : machines.values()) {
        owners += (int) machine.node().led().stream().filter(group -> group.owns(key)).count();
      }
      if (owners > 1) {
        throw new SimulationFailure("Key " + key + " has " + owners + " owners.");
      }
    }
  }

  @Override
  public void run() {
    world.faults().quiet(false);
    for (GroupClient client : clients) {
      world.cluster().keeper().start("client", client::work);
    }
    long end = world.scheduler().now() + world.options().duration().toNanos();
    while (world.scheduler().now() < end) {
      sleep();
      check();
    }
    world.faults().quiet(true);
    stopping = true;
    long patience = world.scheduler().now() + REST.toNanos();
    while (!isAtRest()) {
      if (world.scheduler().now() > patience) {
        throw new SimulationFailure("Not every key became free: " + leftOver());
      }
      sleep();
      check();
    }
  }

  private void sleep() {
    world.cluster().keeper().seams().sleep(TICK);
  }

  private boolean isAtRest() {
    return clients.stream().allMatch(GroupClient::isIdle)
        && network.isQuiet()
        && leftOver().isEmpty();
  }

  private List<String> leftOver() {
    List<String> left = new ArrayList<>();
    machines.forEach(
        (name, machine) -> {
          machine.node().led().forEach(group -> left.add("group " + group.id() + " at " + name));
          if (machine.node().yieldedKeys() > 0) {
            left.add(machine.node().yieldedKeys() + " keys of " + name + " are yielded");
          }
        });
    return left;
  }

  @Override
  public List<String> judge() {
    return List.of();
  }

  @Override
  public Map<String, Long> operations() {
    Map<String, Long> operations = new LinkedHashMap<>();
    operations.put("groups-ok", clients.stream().mapToLong(GroupClient::formed).sum());
    operations.put("groups-fail", clients.stream().mapToLong(GroupClient::failed).sum());
    operations.put("groups-given-up", clients.stream().mapToLong(GroupClient::givenUp).sum());
    operations.put("messages", network.sent());
    operations.put("crashes", machines.values().stream().mapToLong(GroupMachine::crashes).sum());
    operations.put("ownership-checks", checks);
    return operations;
  }

  @Override
  public int tablets() {
    return machines.size();
  }

  @Override
  public String settings() {
    return machines.size()
        + " nodes, "
        + clients.size()
        + " clients, "
        + keys.size()
        + " keys, messages "
        + (options.messaging() == Messaging.RELIABLE ? "reliable" : "unreliable")
        + ", sent again after "
        + options.retry().toMillis()
        + " ms";
  }
}
