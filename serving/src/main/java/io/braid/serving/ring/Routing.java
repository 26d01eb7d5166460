package io.braid.serving.ring;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import org.apiguardian.api.API;

/**
 * Where the replicas of a partition lie (section 3.1.2): one jumps the ring clockwise from the
 * partition and takes those that belong to nodes not taken yet. With replicas asked for by zone, a
 * node counts only while its zone still needs one.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class Routing {
  private final Ring ring;
  private final Map<Integer, Integer> byZone;
  private final int replicas;

  private Routing(Ring ring, Map<Integer, Integer> byZone, int replicas) {
    this.ring = ring;
    this.byZone = byZone;
    this.replicas = replicas;
  }

  /**
   * Consistent routing: {@code replicas} nodes, in any zones.
   *
   * @throws IllegalArgumentException when there are fewer nodes, or {@code replicas} is less than 1
   */
  public static Routing consistent(Ring ring, int replicas) {
    long nodes = ring.nodes().size();
    if (replicas < 1 || replicas > nodes) {
      throw new IllegalArgumentException(
          replicas + " replicas on " + nodes + " nodes: there must be 1 to " + nodes + ".");
    }
    return new Routing(ring, Map.of(), replicas);
  }

  /**
   * Zone-aware routing: a given number of replicas in each of these zones.
   *
   * @throws IllegalArgumentException when a zone has fewer nodes, or there is no replica
   */
  public static Routing zoned(Ring ring, Map<Integer, Integer> replicasByZone) {
    int sum = 0;
    for (Map.Entry<Integer, Integer> zone : new TreeMap<>(replicasByZone).entrySet()) {
      long nodes = ring.nodes().stream().filter(node -> node.zone() == zone.getKey()).count();
      if (zone.getValue() < 0 || zone.getValue() > nodes) {
        throw new IllegalArgumentException(
            zone.getValue()
                + " replicas in zone "
                + zone.getKey()
                + ", which has "
                + nodes
                + " nodes.");
      }
      sum += zone.getValue();
    }
    if (sum == 0) {
      throw new IllegalArgumentException("A store needs a replica in at least one zone.");
    }
    return new Routing(ring, Map.copyOf(replicasByZone), sum);
  }

  public Ring ring() {
    return ring;
  }

  public int replicas() {
    return replicas;
  }

  /** Replicas in each zone; empty if zones do not matter. */
  public Map<Integer, Integer> zones() {
    return byZone;
  }

  /** The partitions whose owners hold the replicas of a partition: replica 0 first. */
  public List<Integer> partitions(int partition) {
    List<Integer> found = new ArrayList<>(replicas);
    find(partition, found::add);
    return found;
  }

  /** The nodes that hold a partition's replicas, replica 0 first. */
  public List<Node> nodes(int partition) {
    return find(partition, candidate -> {});
  }

  private List<Node> find(int partition, IntConsumer found) {
    List<Node> taken = new ArrayList<>(replicas);
    Map<Integer, Integer> needed = byZone.isEmpty() ? byZone : new HashMap<>(byZone);
    for (int jump = 0; jump < ring.partitions() && taken.size() < replicas; jump++) {
      int candidate = (partition + jump) % ring.partitions();
      Node owner = ring.owner(candidate);
      if (isAmong(taken, owner)) {
        continue;
      }
      if (byZone.isEmpty() || needed.merge(owner.zone(), -1, Integer::sum) >= 0) {
        taken.add(owner);
        found.accept(candidate);
      }
    }
    if (taken.size() < replicas) {
      throw new IllegalArgumentException(
          "Partition "
              + partition
              + " finds only "
              + taken.size()
              + " of "
              + replicas
              + " nodes on the ring: some node owns no partition.");
    }
    return taken;
  }

  /** Replicas are few: no set is faster. */
  private static boolean isAmong(List<Node> taken, Node node) {
    for (int i = 0; i < taken.size(); i++) {
      if (taken.get(i).id() == node.id()) {
        return true;
      }
    }
    return false;
  }

  /** Which replica of which partition a node holds. */
  public Map<Integer, Integer> held(int node) {
    Map<Integer, Integer> held = new TreeMap<>();
    for (int partition = 0; partition < ring.partitions(); partition++) {
      List<Node> nodes = nodes(partition);
      for (int replica = 0; replica < nodes.size(); replica++) {
        if (nodes.get(replica).id() == node) {
          held.put(partition, replica);
        }
      }
    }
    return held;
  }

  /**
   * The nodes of a partition as a client should try them: those of its own zone first, then zone
   * after zone as its proximity list has them, each in the order of the ring.
   *
   * @param proximity the client's own zone, the nearest, and so on; zones not named come last
   */
  public List<Node> nearest(int partition, List<Integer> proximity) {
    List<Node> nodes = new ArrayList<>(nodes(partition));
    nodes.sort((a, b) -> Integer.compare(rank(proximity, a.zone()), rank(proximity, b.zone())));
    return nodes;
  }

  private static int rank(List<Integer> proximity, int zone) {
    int rank = proximity.indexOf(zone);
    return rank < 0 ? Integer.MAX_VALUE : rank;
  }
}
