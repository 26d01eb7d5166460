package io.braid.serving.writable;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.Seams;
import io.braid.serving.client.FailureDetector;
import io.braid.serving.client.Parallel;
import io.braid.serving.client.StoreUnavailableException;
import io.braid.serving.client.WrongNodeException;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One read of several replicas at a time, until as many have answered as are required. Then each
 * gets the siblings that it lacks (section 3.1.4: read repair).
 */
final class ReplicaRead {
  private final Seams seams;
  private final ReplicaNetwork network;
  private final FailureDetector failures;
  private final StoreDefinition definition;
  private final String store;
  private final Bytes key;
  private final long ring;
  private final Map<Node, List<VersionedValue>> answers = new ConcurrentHashMap<>();
  private final AtomicLong newest = new AtomicLong();
  private final Map<Integer, String> problems = new ConcurrentHashMap<>();

  /**
   * @param topology that names the replicas
   */
  ReplicaRead(
      Seams seams,
      ReplicaNetwork network,
      FailureDetector failures,
      StoreDefinition definition,
      Bytes key,
      Topology topology) {
    this.seams = seams;
    this.network = network;
    this.failures = failures;
    this.definition = definition;
    this.store = definition.store();
    this.key = key;
    this.ring = topology.ringVersion();
  }

  /** Returns the newest topology that was reported by a node that no longer holds the key. */
  long newest() {
    return newest.get();
  }

  List<VersionedValue> run(List<Node> replicas, int required) {
    int asked = 0;
    while (answers.size() < required && asked < replicas.size()) {
      int until = Math.min(replicas.size(), asked + required - answers.size());
      List<Runnable> round = new ArrayList<>();
      for (Node node : replicas.subList(asked, until)) {
        round.add(() -> ask(node));
      }
      asked = until;
      Parallel.run(seams, "read-" + store, round);
    }
    if (answers.size() < required) {
      throw new StoreUnavailableException(
          answers.size()
              + " replicas of a tuple of store "
              + store
              + " answered where "
              + required
              + " are required: "
              + new TreeMap<>(problems)
              + ".");
    }
    List<VersionedValue> merged = List.of();
    for (List<VersionedValue> siblings : answers.values()) {
      merged = Siblings.merged(merged, siblings);
    }
    repair(merged);
    return merged;
  }

  private void ask(Node node) {
    if (!failures.mayAsk(node.id())) {
      problems.put(node.id(), ReplicaWrite.SILENT);
      return;
    }
    try {
      // A node with an old topology shows siblings from before the store was dropped or emptied.
      List<VersionedValue> siblings =
          network.get(node, store, key, ring).stream()
              .filter(sibling -> sibling.clock().life() >= definition.life())
              .toList();
      answers.put(node, siblings);
      failures.succeeded(node.id());
    } catch (WrongNodeException e) {
      newest.accumulateAndGet(e.topology(), Math::max);
      problems.put(node.id(), String.valueOf(e.getMessage()));
    } catch (IOException | RuntimeException e) {
      failures.failed(node.id());
      problems.put(node.id(), String.valueOf(e.getMessage()));
    } finally {
      failures.asked(node.id());
    }
  }

  /**
   * Writes the missing siblings, and nothing else, in the background. A replica with no siblings at
   * all needs no deletions. Such deletions would go for ever from one replica to the next that has
   * forgotten them.
   */
  private void repair(List<VersionedValue> merged) {
    answers.forEach(
        (node, siblings) -> {
          List<VersionedValue> missing = new ArrayList<>(merged);
          missing.removeAll(siblings);
          missing.removeIf(version -> siblings.isEmpty() && version.value().isEmpty());
          if (!missing.isEmpty()) {
            seams.start("repair-" + store, () -> write(node, missing));
          }
        });
  }

  private void write(Node node, List<VersionedValue> missing) {
    for (VersionedValue sibling : missing) {
      try {
        network.put(node, store, key, sibling, ring);
      } catch (IOException | RuntimeException e) {
        // The next read finds it again.
        failures.failed(node.id());
      }
    }
  }
}
