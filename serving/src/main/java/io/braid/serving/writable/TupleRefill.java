package io.braid.serving.writable;

import io.braid.core.runtime.Seams;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Routing;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.apiguardian.api.API;

/**
 * Refills a replica that lost its tuples until it may answer. It copies from so many of the other
 * replicas of each partition that one of them has each acknowledged write. Of N replicas, W had
 * stored such a write, the lost one perhaps among them. Any N - W + 1 of the others include another
 * replica with that write. Other replicas that lost their tuples do not count, unless each of the
 * others was copied: then no more can be had. Writes that only the lost replicas had are lost.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class TupleRefill {
  private final Seams seams;
  private final Topology topology;
  private final int self;
  private final StoreDefinition store;

  public TupleRefill(Seams seams, Topology topology, int self, StoreDefinition store) {
    this.seams = seams;
    this.topology = topology;
    this.self = self;
    this.store = store;
  }

  /** Whether a node is a replica of any partition, and others are too. */
  public static boolean concerns(Topology topology, int node, StoreDefinition store) {
    return store.writable()
        && store.replicas() > 1
        && !store.routing(topology.ring()).held(node).isEmpty();
  }

  /**
   * Copies; may be repeated.
   *
   * @return why it is not enough yet, a sentence; none when the replica may answer
   */
  public Optional<String> fill(ReplicaNetwork network, Engine engine, BooleanSupplier stopped) {
    Routing routing = store.routing(topology.ring());
    Map<Integer, Set<Integer>> sources = new TreeMap<>();
    Map<Integer, MissingReplicas> missing = new TreeMap<>();
    for (int partition : routing.held(self).keySet()) {
      List<Node> replicas = routing.nodes(partition);
      missing.put(
          partition,
          new MissingReplicas(replicas.size() - 1, replicas.size() - store.requiredWrites() + 1));
      for (Node replica : replicas) {
        if (replica.id() != self) {
          sources.computeIfAbsent(replica.id(), id -> new TreeSet<>()).add(partition);
        }
      }
    }
    // Nothing is copied in vain while too few are there.
    Optional<String> absent =
        ask(sources, missing, node -> network.rest(node, store.store(), null).whole());
    if (absent.isPresent()) {
      return absent;
    }
    TupleCopy copy =
        new TupleCopy(seams, network, store, topology.ring().partitions(), engine, stopped);
    Optional<String> problem =
        ask(
            sources,
            missing,
            node -> copy.rest(node, Objects.requireNonNull(sources.get(node.id()))));
    return stopped.getAsBoolean() ? Optional.of("It was stopped.") : problem;
  }

  /** Something that a node does; whether it has lost nothing. */
  private interface NodeCheck {
    boolean ask(Node node) throws IOException;
  }

  private Optional<String> ask(
      Map<Integer, Set<Integer>> sources,
      Map<Integer, MissingReplicas> missing,
      NodeCheck question) {
    Map<Integer, MissingReplicas> left = new TreeMap<>(missing);
    Map<Integer, String> problems = new TreeMap<>();
    sources.forEach(
        (node, partitions) -> {
          try {
            boolean whole = question.ask(topology.ring().node(node));
            partitions.forEach(p -> left.computeIfPresent(p, (n, before) -> before.less(whole)));
          } catch (IOException | RuntimeException e) {
            problems.put(node, String.valueOf(e.getMessage()));
          }
        });
    left.values().removeIf(MissingReplicas::isNothing);
    return left.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "Too few other replicas of partitions "
                + left.keySet()
                + " could be copied to know all that was acknowledged: "
                + problems
                + ".");
  }

  /**
   * How many other replicas of a partition are to be copied yet.
   *
   * @param all of any kind
   * @param whole of those that have lost nothing
   */
  private record MissingReplicas(int all, int whole) {
    MissingReplicas less(boolean wholeOne) {
      return new MissingReplicas(all - 1, wholeOne ? whole - 1 : whole);
    }

    boolean isNothing() {
      return all <= 0 || whole <= 0;
    }
  }
}
