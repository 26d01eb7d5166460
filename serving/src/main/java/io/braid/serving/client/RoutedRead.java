package io.braid.serving.client;

import io.braid.core.data.Bytes;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.Seams;
import io.braid.serving.ServingException;
import io.braid.serving.chunk.Placement;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Routing;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import io.braid.serving.transform.Part;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One read of several keys. In rounds: every open key goes to the best of its replicas that was not
 * tried yet, the keys of one node in one request, all nodes at a time.
 *
 * <p>The lowest version among the answers is the one that counts, since nodes that have swapped can
 * still read in the one before: those that answered in a higher one are asked again for that.
 */
final class RoutedRead {
  private final Seams seams;
  private final NodeNetwork network;
  private final FailureDetector failures;
  private final Topology topology;
  private final String store;
  private final Optional<Part> part;
  private final List<KeyRead> wants = new ArrayList<>();
  private final Map<Integer, String> problems = new TreeMap<>();
  private long version;
  private int schema;
  private long newest;

  /** A key, its replicas from the best on, and what was answered. */
  private static final class KeyRead {
    private final Bytes key;
    private final List<Node> left;
    private long version;
    private @Nullable Optional<Bytes> value;

    KeyRead(Bytes key, List<Node> left) {
      this.key = key;
      this.left = left;
    }
  }

  /** The request to one node in one round. */
  private final class NodeRequest implements Runnable {
    private final Node node;
    private final List<KeyRead> keys = new ArrayList<>();
    private @Nullable ReadAnswer answer;
    private @Nullable Exception failure;

    NodeRequest(Node node) {
      this.node = node;
    }

    @Override
    public void run() {
      List<Bytes> asked = keys.stream().map(want -> want.key).toList();
      try {
        answer =
            network.read(
                node.address(), new ReadRequest(store, asked, version, topology.version(), part));
      } catch (IOException | RuntimeException e) {
        failure = e;
      }
    }
  }

  RoutedRead(
      Seams seams,
      NodeNetwork network,
      FailureDetector failures,
      Topology topology,
      StoreDefinition definition,
      List<Integer> zones,
      List<Bytes> keys,
      Optional<Part> part) {
    this.seams = seams;
    this.network = network;
    this.failures = failures;
    this.topology = topology;
    this.store = definition.store();
    this.part = part;
    Routing routing = definition.routing(topology.ring());
    Placement place = new Placement(topology.ring().partitions(), 1);
    Map<Integer, List<Node>> nearest = new HashMap<>();
    for (Bytes key : keys) {
      int partition = place.partition(definition.hash().of(key.toArray()));
      List<Node> nodes = nearest.computeIfAbsent(partition, p -> order(routing.nearest(p, zones)));
      wants.add(new KeyRead(key, new ArrayList<>(nodes)));
    }
  }

  /** Suspects last, otherwise as they were. */
  private List<Node> order(List<Node> nodes) {
    List<Node> ordered = new ArrayList<>();
    nodes.stream().filter(node -> failures.isAvailable(node.id())).forEach(ordered::add);
    nodes.stream().filter(node -> !ordered.contains(node)).forEach(ordered::add);
    return ordered;
  }

  /** The newest topology that a node told of. */
  long newest() {
    return newest;
  }

  Values run() {
    while (true) {
      List<NodeRequest> round = round();
      if (round.isEmpty()) {
        return new Values(version, schema, wants.stream().map(RoutedRead::answered).toList());
      }
      Parallel.run(seams, "read-" + store, round);
      round.forEach(this::take);
      reopen();
    }
  }

  private static Optional<Bytes> answered(KeyRead want) {
    Optional<Bytes> value = want.value;
    return value == null ? Optional.empty() : value;
  }

  private List<NodeRequest> round() {
    Map<Integer, NodeRequest> byNode = new TreeMap<>();
    for (KeyRead want : wants) {
      if (want.value == null) {
        if (want.left.isEmpty()) {
          throw new StoreUnavailableException(
              "No replica of a key of store " + store + " could answer: " + problems + ".");
        }
        Node node = want.left.get(0);
        byNode.computeIfAbsent(node.id(), id -> new NodeRequest(node)).keys.add(want);
      }
    }
    return List.copyOf(byNode.values());
  }

  private void take(NodeRequest ask) {
    ReadAnswer answer = ask.answer;
    if (answer != null) {
      failures.succeeded(ask.node.id());
      newest = Math.max(newest, answer.topology());
      if (version == 0 || answer.version() < version) {
        version = answer.version();
        schema = answer.schema();
      }
      for (int i = 0; i < ask.keys.size(); i++) {
        ask.keys.get(i).value = answer.values().get(i);
        ask.keys.get(i).version = answer.version();
      }
      return;
    }
    Exception failure = ask.failure;
    if (failure instanceof ServingException gone && gone.code() == ErrorCode.VERSION_GONE) {
      throw gone;
    }
    if (failure instanceof ValuesTooLongException refused) {
      throw refused;
    }
    if (failure instanceof WrongNodeException wrong) {
      newest = Math.max(newest, wrong.topology());
    } else {
      failures.failed(ask.node.id());
    }
    problems.put(ask.node.id(), failure == null ? "no answer" : failure.getMessage());
    ask.keys.forEach(want -> want.left.remove(0));
  }

  /** Keys that were read in a higher version than the one that counts are open again. */
  private void reopen() {
    for (KeyRead want : wants) {
      if (want.value != null && want.version != version) {
        want.value = null;
      }
    }
  }
}
