package io.braid.simulation.serving;

import io.braid.serving.ServingException;
import io.braid.serving.client.NodeNetwork;
import io.braid.serving.client.ReadAnswer;
import io.braid.serving.client.ReadRequest;
import io.braid.serving.client.ReplicaFailedException;
import io.braid.serving.client.WrongNodeException;
import io.braid.serving.net.MissedPushes;
import io.braid.serving.net.NodeService;
import io.braid.serving.node.MissedPush;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Topology;
import io.braid.simulation.cluster.Fault;
import io.braid.simulation.cluster.Faults;
import io.braid.simulation.cluster.SimCluster;
import io.braid.simulation.cluster.SimProcess;
import io.braid.simulation.cluster.Tampering;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.schedule.SimScheduler;
import io.braid.simulation.schedule.SimSignal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that serve built stores out of real files. The network loses requests and answers, and
 * delivers some late or again. Nodes die and stall.
 */
public final class PushCluster {
  /** The faults that may strike here. */
  public static final List<Fault> FAULTS =
      List.of(
          Fault.REQUEST_LOST,
          Fault.REPLY_LOST,
          Fault.DELIVERED_LATE,
          Fault.RESENT_LATE,
          Fault.PROCESS_PAUSED,
          Fault.PROCESS_CRASHED);

  private static final long MEAN_PAUSE_NANOS = Duration.ofSeconds(10).toNanos();
  private static final long MEAN_LATE_NANOS = Duration.ofSeconds(8).toNanos();
  private static final long MEAN_CALL_NANOS = Duration.ofMillis(300).toNanos();
  private static final Duration LOOK = Duration.ofMillis(200);

  private final SimScheduler scheduler;
  private final Faults faults;
  private final SimCluster cluster;
  private final Tampering tampering;
  private final SimRandom random;
  private final NodeService.Options options;
  private final Topology topology;
  private final List<NodeMachine> machines = new ArrayList<>();
  private long calls;

  /**
   * @param place for the directories of the nodes
   */
  public PushCluster(
      SimScheduler scheduler,
      Faults faults,
      SimCluster cluster,
      Tampering tampering,
      int nodes,
      NodeService.Options options,
      Path place) {
    this.scheduler = scheduler;
    this.faults = faults;
    this.cluster = cluster;
    this.tampering = tampering;
    this.random = scheduler.random().split();
    this.options = options;
    List<Node> members = new ArrayList<>();
    List<Integer> owners = new ArrayList<>();
    for (int id = 0; id < nodes; id++) {
      members.add(new Node(id, 0, "n" + id));
      owners.add(id);
      machines.add(new NodeMachine(this, id, place.resolve("node-" + id)));
    }
    this.topology = Topology.of(Ring.of(members, owners), Map.of());
  }

  void start() {
    machines.forEach(NodeMachine::start);
  }

  /** Which nodes there are. */
  public Topology topology() {
    return topology;
  }

  NodeService.Options options() {
    return options;
  }

  Tampering tampering() {
    return tampering;
  }

  List<NodeMachine> machines() {
    return machines;
  }

  /** Lets go of all files. */
  public void end() {
    machines.forEach(NodeMachine::release);
  }

  /** From now on nothing goes wrong. */
  void quiet() {
    faults.quiet(true);
  }

  /** Calls of nodes. */
  public long calls() {
    return calls;
  }

  /** Returns the nodes as pushers see them. */
  List<CalledNode> nodes(Duration patience) {
    List<CalledNode> nodes = new ArrayList<>();
    for (int id = 0; id < machines.size(); id++) {
      nodes.add(node(id, patience));
    }
    return nodes;
  }

  CalledNode node(int id, Duration patience) {
    return new CalledNode(this, id, patience);
  }

  List<String> addresses() {
    return topology.ring().nodes().stream().map(Node::address).toList();
  }

  SimProcess process(String name) {
    return cluster.process(name);
  }

  void later(long mean, Runnable action) {
    scheduler.after(1 + random.around(mean), action);
  }

  boolean areUp() {
    return machines.stream().allMatch(machine -> machine.running().isPresent());
  }

  /** An effect at a node. */
  interface Effect<T> {
    T at(NodeMachine machine, NodeMachine.Running running) throws IOException;
  }

  /** The outcome of a call. */
  private static final class Answer<T> {
    private final SimSignal signal;
    private @Nullable T value;
    private @Nullable Exception failure;
    private boolean come;

    Answer(SimScheduler scheduler) {
      this.signal = new SimSignal(scheduler);
    }
  }

  /**
   * Asks a node; for a task of any process.
   *
   * @param what for traces
   * @throws IOException when no answer came: it is unknown what was done
   */
  <T> T call(int node, String what, Duration patience, Effect<T> effect) throws IOException {
    calls++;
    NodeMachine machine = machines.get(node);
    travel();
    strike(machine);
    if (faults.strikes(Fault.REQUEST_LOST)) {
      scheduler.park("no answer", patience, false);
      throw new IOException("no answer in time");
    }
    NodeMachine.Running running =
        machine.running().orElseThrow(() -> new IOException("nobody listens"));
    Answer<T> answer = new Answer<>(scheduler);
    long late = faults.strikes(Fault.DELIVERED_LATE) ? random.around(MEAN_LATE_NANOS) : 0;
    running.process().start(what, () -> serve(machine, running, effect, late, answer));
    if (faults.strikes(Fault.RESENT_LATE)) {
      long again = random.around(MEAN_LATE_NANOS);
      running
          .process()
          .start(
              "again " + what,
              () -> serve(machine, running, effect, again, new Answer<>(scheduler)));
    }
    return await(running, patience, answer);
  }

  private <T> void serve(
      NodeMachine machine,
      NodeMachine.Running running,
      Effect<T> effect,
      long late,
      Answer<T> answer) {
    if (late > 0) {
      scheduler.park("late", late, false);
    }
    try {
      answer.value = effect.at(machine, running);
    } catch (IOException e) {
      answer.failure = new IllegalStateException(e.getMessage(), e);
    } catch (RuntimeException e) {
      answer.failure = e;
    }
    answer.come = true;
    answer.signal.raise();
  }

  private <T> T await(NodeMachine.Running running, Duration patience, Answer<T> answer)
      throws IOException {
    long end = scheduler.now() + patience.toNanos();
    while (!answer.come) {
      if (running.process().isDead()) {
        throw new IOException("the connection broke");
      }
      if (scheduler.now() >= end) {
        throw new IOException("no answer in time");
      }
      answer.signal.await(LOOK);
    }
    travel();
    if (faults.strikes(Fault.REPLY_LOST)) {
      scheduler.park("no answer", patience, false);
      throw new IOException("no answer in time");
    }
    if (answer.failure instanceof RuntimeException refused) {
      throw refused;
    }
    T value = answer.value;
    if (value == null) {
      throw new IllegalStateException("A node answered nothing.");
    }
    return value;
  }

  private void strike(NodeMachine machine) {
    Optional<NodeMachine.Running> running = machine.running();
    if (running.isPresent() && faults.strikes(Fault.PROCESS_CRASHED)) {
      scheduler.after(random.around(MEAN_CALL_NANOS), running.get().process()::crash);
    }
    if (running.isPresent() && faults.strikes(Fault.PROCESS_PAUSED)) {
      long length = random.around(MEAN_PAUSE_NANOS);
      scheduler.after(random.around(MEAN_CALL_NANOS), () -> running.get().process().pause(length));
    }
  }

  private void travel() {
    scheduler.park("message", 1 + random.nextLong(5_000_000), false);
  }

  /** How nodes ask each other what they missed. */
  MissedPushes asks(SimProcess process) {
    return tampering.missedPushes(
        address ->
            call(
                number(address),
                "missed",
                Duration.ofSeconds(2),
                (machine, running) -> (Map<String, MissedPush>) running.endpoint().missed()));
  }

  private static int number(String address) {
    return Integer.parseInt(address.substring(1));
  }

  /** How clients reach nodes. */
  NodeNetwork network() {
    return tampering.nodes(new ReadNetwork());
  }

  /** Reads over this network. */
  private final class ReadNetwork implements NodeNetwork {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    @Override
    public Topology bootstrap(String address) throws IOException {
      return call(
          number(address),
          "bootstrap",
          PATIENCE,
          (machine, running) ->
              running
                  .service()
                  .topology()
                  .orElseThrow(() -> new ReplicaFailedException("in no cluster")));
    }

    @Override
    public ReadAnswer read(String address, ReadRequest request) throws IOException {
      try {
        return call(
            number(address),
            "read",
            PATIENCE,
            (machine, running) -> machine.read(running, request));
      } catch (WrongNodeException e) {
        throw e;
      } catch (ServingException e) {
        String message = String.valueOf(e.getMessage());
        throw switch (e.code()) {
          case VERSION_GONE -> e;
          case WRONG_NODE -> new WrongNodeException(message, topology.version());
          default -> new ReplicaFailedException(message);
        };
      } catch (RuntimeException e) {
        throw new ReplicaFailedException(String.valueOf(e.getMessage()));
      }
    }
  }
}
