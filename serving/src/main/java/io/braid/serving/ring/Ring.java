package io.braid.serving.ring;

import io.braid.serving.chunk.Placement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The ring, shared by all stores: equal partitions, each with the node that owns it (section
 * 3.1.2). Immutable.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class Ring {
  private final Map<Integer, Node> nodes;
  private final List<Integer> owners;
  private final List<Node> all;

  /** The owner of each partition. A search for the replicas of a key reads many. */
  private final Node[] byPartition;

  private Ring(Map<Integer, Node> nodes, List<Integer> owners) {
    this.nodes = nodes;
    this.owners = owners;
    this.all = List.copyOf(nodes.values());
    this.byPartition = owners.stream().map(this::node).toArray(Node[]::new);
  }

  /**
   * A ring.
   *
   * @param owners the id of the owner of each partition, partition 0 first; from 1 to 65536
   * @throws IllegalArgumentException when an owner is not there, or a node twice
   */
  public static Ring of(List<Node> nodes, List<Integer> owners) {
    Map<Integer, Node> byId = new TreeMap<>();
    for (Node node : nodes) {
      if (byId.put(node.id(), node) != null) {
        throw new IllegalArgumentException("Node " + node.id() + " is there twice.");
      }
    }
    if (owners.isEmpty() || owners.size() > Placement.MOST) {
      throw new IllegalArgumentException(
          "A ring has 1 to " + Placement.MOST + " partitions, not " + owners.size() + ".");
    }
    for (int owner : owners) {
      if (!byId.containsKey(owner)) {
        throw new IllegalArgumentException(
            "A partition belongs to node " + owner + ", and there is no such node.");
      }
    }
    return new Ring(Collections.unmodifiableMap(byId), List.copyOf(owners));
  }

  /**
   * Nodes 0, 1, ... of one zone that own the partitions in turn.
   *
   * @throws IllegalArgumentException when there are fewer partitions than nodes
   */
  public static Ring even(int nodes, int partitions) {
    if (nodes < 1 || nodes > partitions) {
      throw new IllegalArgumentException(
          nodes + " nodes cannot share " + partitions + " partitions: name at least one for each.");
    }
    List<Node> all = new ArrayList<>();
    for (int id = 0; id < nodes; id++) {
      all.add(new Node(id, 0, ""));
    }
    List<Integer> owners = new ArrayList<>();
    for (int partition = 0; partition < partitions; partition++) {
      owners.add(partition % nodes);
    }
    return of(all, owners);
  }

  public int partitions() {
    return owners.size();
  }

  public List<Node> nodes() {
    return all;
  }

  /**
   * The node of an id.
   *
   * @throws IllegalArgumentException when there is none
   */
  public Node node(int id) {
    Node node = nodes.get(id);
    if (node == null) {
      throw new IllegalArgumentException("There is no node " + id + ".");
    }
    return node;
  }

  public Node owner(int partition) {
    return byPartition[partition];
  }

  /** This ring with some partitions given to another node, which may be new. */
  public Ring moved(List<Integer> partitions, Node to) {
    Map<Integer, Node> all = new TreeMap<>(nodes);
    all.putIfAbsent(to.id(), to);
    List<Integer> changed = new ArrayList<>(owners);
    partitions.forEach(partition -> changed.set(partition, to.id()));
    return of(List.copyOf(all.values()), changed);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Ring that && nodes.equals(that.nodes) && owners.equals(that.owners);
  }

  @Override
  public int hashCode() {
    return 31 * nodes.hashCode() + owners.hashCode();
  }
}
