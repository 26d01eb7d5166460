package io.braid.serving.imports;

import io.braid.serving.chunk.Placement;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Routing;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import io.braid.serving.writable.ImportedTuple;
import io.braid.serving.writable.imports.ImportState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Sends the tuples of an import to all their replicas, some at a time. */
final class TupleSender {
  private static final long ROUND = 4 << 20;
  private static final long BATCH = 1 << 20;
  private static final int MOST = 2000;

  private final ImportSteps steps;
  private final Topology topology;
  private final StoreDefinition store;

  TupleSender(ImportSteps steps, Topology topology, String store) {
    this.steps = steps;
    this.topology = topology;
    StoreDefinition definition = topology.store(store);
    if (definition == null || !definition.writable()) {
      throw new IllegalArgumentException(
          "The cluster has no read-write store '" + store + "'. Make one: braid store create.");
    }
    this.store = definition;
  }

  void send(ImportState ticket, ImportInput input, StoreImport.Watcher watcher) throws IOException {
    Placement placement = new Placement(topology.ring().partitions(), 1);
    Routing routing = store.routing(topology.ring());
    Map<Integer, List<ImportedTuple>> round = new TreeMap<>();
    long bytes = 0;
    long sent = 0;
    while (true) {
      @Nullable ImportedTuple tuple = input.next();
      if (tuple == null || bytes + tuple.bytes() > ROUND) {
        send(ticket, round);
        watcher.at("tuples imported", sent, input.count());
        round.clear();
        bytes = 0;
      }
      if (tuple == null) {
        return;
      }
      int partition = placement.partition(store.hash().of(tuple.key().toArray()));
      for (Node node : routing.nodes(partition)) {
        round.computeIfAbsent(node.id(), id -> new ArrayList<>()).add(tuple);
      }
      bytes += tuple.bytes();
      sent++;
    }
  }

  private void send(ImportState ticket, Map<Integer, List<ImportedTuple>> round) {
    steps.each(
        round.keySet(),
        "take tuples",
        node -> {
          List<ImportedTuple> left = round.getOrDefault(node.id(), List.of());
          while (!left.isEmpty()) {
            List<ImportedTuple> batch = left.subList(0, batch(left));
            node.take(store.store(), ticket, batch);
            left = left.subList(batch.size(), left.size());
          }
        });
  }

  private static int batch(List<ImportedTuple> tuples) {
    long bytes = 0;
    int count = 0;
    while (count < Math.min(MOST, tuples.size())) {
      bytes += tuples.get(count).bytes();
      if (count > 0 && bytes > BATCH) {
        break;
      }
      count++;
    }
    return count;
  }
}
