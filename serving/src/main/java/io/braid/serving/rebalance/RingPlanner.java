package io.braid.serving.rebalance;

import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Rings with more or fewer nodes, for which as few partitions move as can be. */
public final class RingPlanner {
  private RingPlanner() {}

  /** New nodes take partitions from those that own most, until all own about as many. */
  public static Ring adding(Ring ring, List<Node> fresh) {
    Map<Integer, Node> nodes = nodes(ring);
    fresh.forEach(node -> nodes.put(node.id(), node));
    List<Integer> owners = owners(ring);
    int share = owners.size() / nodes.size();
    for (Node node : fresh) {
      while (count(owners, node.id()) < share) {
        int rich = extreme(owners, nodes.keySet(), true);
        owners.set(owners.lastIndexOf(rich), node.id());
      }
    }
    return Ring.of(List.copyOf(nodes.values()), owners);
  }

  /**
   * The partitions of nodes that go are taken by those that own least.
   *
   * @throws IllegalArgumentException when one of them is not there, or none would be left
   */
  public static Ring removing(Ring ring, Set<Integer> gone) {
    Map<Integer, Node> nodes = nodes(ring);
    gone.forEach(ring::node);
    nodes.keySet().removeAll(gone);
    if (nodes.isEmpty()) {
      throw new IllegalArgumentException("A ring needs at least one node.");
    }
    List<Integer> owners = owners(ring);
    for (int partition = 0; partition < owners.size(); partition++) {
      if (gone.contains(owners.get(partition))) {
        owners.set(partition, extreme(owners, nodes.keySet(), false));
      }
    }
    return Ring.of(List.copyOf(nodes.values()), owners);
  }

  private static Map<Integer, Node> nodes(Ring ring) {
    Map<Integer, Node> nodes = new TreeMap<>();
    ring.nodes().forEach(node -> nodes.put(node.id(), node));
    return nodes;
  }

  private static List<Integer> owners(Ring ring) {
    List<Integer> owners = new ArrayList<>();
    for (int partition = 0; partition < ring.partitions(); partition++) {
      owners.add(ring.owner(partition).id());
    }
    return owners;
  }

  private static long count(List<Integer> owners, int node) {
    return owners.stream().filter(owner -> owner == node).count();
  }

  /** The node that owns most or least, the lowest of several. */
  private static int extreme(List<Integer> owners, Set<Integer> nodes, boolean most) {
    int best = -1;
    for (int node : nodes) {
      long count = count(owners, node);
      long known = best < 0 ? 0 : count(owners, best);
      if (best < 0 || (most ? count > known : count < known)) {
        best = node;
      }
    }
    return best;
  }
}
