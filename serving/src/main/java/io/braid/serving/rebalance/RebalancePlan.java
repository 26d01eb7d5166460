package io.braid.serving.rebalance;

import io.braid.core.failure.ErrorCode;
import io.braid.serving.ServingException;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Routing;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Succession;
import io.braid.serving.ring.Topology;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The moves that turn the ring into another one (section 4.3.2): batches of primary partitions.
 * Each batch has an intermediate topology, and says which node gets which chunks from which node.
 * Secondaries move along: a partition's replicas lie on the owners of the partitions behind it.
 *
 * @param target the ring in the end
 * @param gaps data that no node has and that therefore cannot be moved, in words
 */
public record RebalancePlan(Topology current, Ring target, List<Batch> batches, List<String> gaps) {

  public RebalancePlan {
    batches = List.copyOf(batches);
    gaps = List.copyOf(gaps);
  }

  /**
   * Plans.
   *
   * @param inventory what each node has, by ids
   * @param batch primary partitions that move together, at least 1
   * @throws ServingException {@code VERSION_REFUSED} when the nodes disagree on what is live
   * @throws IllegalArgumentException when the rings have more or fewer partitions
   */
  public static RebalancePlan of(
      Topology current, Ring target, Map<Integer, NodeStores> inventory, int batch) {
    if (target.partitions() != current.ring().partitions()) {
      throw new IllegalArgumentException(
          "The ring has "
              + current.ring().partitions()
              + " partitions and the wanted one "
              + target.partitions()
              + ": partitions can be moved, but not be more or fewer.");
    }
    if (batch < 1) {
      throw new IllegalArgumentException("A batch has at least one partition.");
    }
    Map<Integer, NodeStores> counted = new TreeMap<>(inventory);
    counted.entrySet().removeIf(node -> hasLeft(current, node.getKey(), node.getValue()));
    refuseDisagreement(counted);
    return new Planner(current, target, counted).plan(batch);
  }

  /**
   * Returns whether a node was in a ring but is not in this one. Such a node drops its data when it
   * joins.
   */
  private static boolean hasLeft(Topology current, int node, NodeStores has) {
    return has.topology().isPresent()
        && current.ring().nodes().stream().noneMatch(member -> member.id() == node);
  }

  private static void refuseDisagreement(Map<Integer, NodeStores> inventory) {
    Map<String, Map<Integer, Long>> live = new TreeMap<>();
    inventory.forEach(
        (node, has) ->
            has.stores()
                .forEach(
                    store ->
                        live.computeIfAbsent(store.name(), s -> new TreeMap<>())
                            .put(node, store.live())));
    live.forEach(
        (store, versions) -> {
          if (new TreeSet<>(versions.values()).size() > 1) {
            throw new ServingException(
                ErrorCode.VERSION_REFUSED,
                "The nodes serve different versions of "
                    + store
                    + ": "
                    + versions
                    + ". Finish its push, or roll it back, before partitions are moved.");
          }
        });
  }

  /** A version of a store, or a read-write store as version 0. */
  private record MovedVersion(String store, long version) implements Comparable<MovedVersion> {
    @Override
    public int compareTo(MovedVersion other) {
      int order = store.compareTo(other.store);
      return order != 0 ? order : Long.compare(version, other.version);
    }
  }

  private static final class Planner {
    private final Topology current;
    private final Ring target;
    private final Map<MovedVersion, StoreDefinition> definitions = new TreeMap<>();

    /** Which partitions of what a node will have when the batches planned so far are done. */
    private final Map<MovedVersion, Map<Integer, Map<Integer, Long>>> holdings = new TreeMap<>();

    private final List<String> gaps = new ArrayList<>();

    Planner(Topology current, Ring target, Map<Integer, NodeStores> inventory) {
      this.current = current;
      this.target = target;
      inventory.forEach((node, has) -> has.stores().forEach(store -> add(node, store)));
      current.stores().values().stream()
          .filter(StoreDefinition::writable)
          .forEach(store -> definitions.put(new MovedVersion(store.store(), 0), store));
    }

    private void add(int node, NodeStores.Store store) {
      for (NodeStores.Version version : store.versions()) {
        if (version.partitions() == target.partitions()) {
          MovedVersion moved = new MovedVersion(store.name(), version.number());
          definitions.put(moved, version.definition());
          holdings
              .computeIfAbsent(moved, m -> new TreeMap<>())
              .put(node, new TreeMap<>(version.bytes()));
        } else {
          gaps.add(
              "Version "
                  + version.number()
                  + " of "
                  + store.name()
                  + " on node "
                  + node
                  + " was built for another ring, and stays where it is.");
        }
      }
    }

    RebalancePlan plan(int most) {
      Map<Integer, Node> nodes = new TreeMap<>();
      current.ring().nodes().forEach(node -> nodes.put(node.id(), node));
      target.nodes().forEach(node -> nodes.put(node.id(), node));
      List<Batch> batches = new ArrayList<>();
      Topology at = current;
      List<Integer> open = new ArrayList<>();
      for (int partition = 0; partition < target.partitions(); partition++) {
        if (current.ring().owner(partition).id() != target.owner(partition).id()) {
          open.add(partition);
        }
      }
      for (int i = 0; i < open.size(); i += most) {
        List<Integer> primaries = open.subList(i, Math.min(open.size(), i + most));
        List<Integer> owners = new ArrayList<>();
        for (int partition = 0; partition < target.partitions(); partition++) {
          Ring owner = primaries.contains(partition) ? target : at.ring();
          owners.add(owner.owner(partition).id());
        }
        Topology next = at.with(Ring.of(List.copyOf(nodes.values()), owners));
        batches.add(batch(at, next, primaries));
        at = next;
      }
      describeGaps(at);
      return new RebalancePlan(current, target, batches, gaps);
    }

    private Batch batch(Topology from, Topology to, List<Integer> primaries) {
      List<Batch.Theft> thefts = new ArrayList<>();
      definitions.forEach((moved, store) -> thefts(moved, store, from, to, thefts));
      return new Batch("", from, to, primaries, thefts);
    }

    private void thefts(
        MovedVersion moved,
        StoreDefinition store,
        Topology from,
        Topology to,
        List<Batch.Theft> thefts) {
      Routing before = store.routing(from.ring());
      Routing after = store.routing(to.ring());
      Map<List<Integer>, Map<Integer, Long>> byPair = new LinkedHashMap<>();
      for (int partition = 0; partition < target.partitions(); partition++) {
        for (Map.Entry<Integer, Integer> heir :
            Succession.of(before, after, partition).entrySet()) {
          int donor = donor(moved, before, partition, heir.getValue());
          if (donor >= 0) {
            byPair
                .computeIfAbsent(List.of(heir.getKey(), donor), pair -> new TreeMap<>())
                .put(partition, bytes(moved, donor, partition));
          }
        }
      }
      byPair.forEach(
          (pair, bytes) -> {
            Map<Integer, Integer> held = after.held(pair.get(0));
            thefts.add(
                new Batch.Theft(
                    moved.store(),
                    moved.version(),
                    pair.get(0),
                    pair.get(1),
                    List.copyOf(bytes.keySet()),
                    bytes.keySet().stream().map(p -> p + "_" + held.get(p)).toList(),
                    bytes.values().stream().mapToLong(Long::longValue).sum()));
            holding(moved, pair.get(0)).putAll(bytes);
          });
      if (moved.version() > 0) {
        Map<Integer, Map<Integer, Long>> nodes = holdings.getOrDefault(moved, Map.of());
        nodes.forEach((node, has) -> has.keySet().retainAll(after.held(node).keySet()));
      }
    }

    private Map<Integer, Long> holding(MovedVersion moved, int node) {
      return holdings
          .computeIfAbsent(moved, m -> new TreeMap<>())
          .computeIfAbsent(node, n -> new TreeMap<>());
    }

    private long bytes(MovedVersion moved, int node, int partition) {
      return moved.version() == 0 ? 0 : holding(moved, node).getOrDefault(partition, 0L);
    }

    /** The one that leaves if it has the partition, else another that has; negative: none has. */
    private int donor(MovedVersion moved, Routing before, int partition, int leaving) {
      if (moved.version() == 0 || holding(moved, leaving).containsKey(partition)) {
        return leaving;
      }
      return before.nodes(partition).stream()
          .map(Node::id)
          .filter(node -> holding(moved, node).containsKey(partition))
          .findFirst()
          .orElse(-1);
    }

    private void describeGaps(Topology last) {
      definitions.forEach(
          (moved, store) -> {
            if (moved.version() > 0) {
              Routing routing = store.routing(last.ring());
              for (Node node : target.nodes()) {
                Set<Integer> missing = new TreeSet<>(routing.held(node.id()).keySet());
                missing.removeAll(holding(moved, node.id()).keySet());
                if (!missing.isEmpty()) {
                  gaps.add(
                      "Version "
                          + moved.version()
                          + " of "
                          + moved.store()
                          + " lacks partitions "
                          + missing
                          + " on node "
                          + node.id()
                          + ": it cannot be rolled back to.");
                }
              }
            }
          });
    }
  }
}
