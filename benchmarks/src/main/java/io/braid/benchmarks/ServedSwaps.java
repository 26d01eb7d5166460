package io.braid.benchmarks;

import io.braid.serving.chunk.IndexKind;
import io.braid.serving.chunk.Search;
import io.braid.serving.node.ServedStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Swaps and rollbacks of a small and a large version, durable when they return. */
final class ServedSwaps {
  private static final int VERSIONS = 8;

  private final Report report;

  ServedSwaps(Report report) {
    this.report = report;
  }

  void run(int keys) throws Exception {
    for (int size : List.of(10_000, keys)) {
      try (Scratch scratch = Scratch.create()) {
        Path built = scratch.child("built");
        BraidPeer.build(
            built, IndexKind.BUCKETS, new ServedData("100 bytes", size, 100, 100).tuples());
        Path node = scratch.child("node");
        try (BraidPeer peer = BraidPeer.serve(built, node, Search.BINARY, VERSIONS)) {
          measure(peer.store(), size);
        }
      }
    }
  }

  private void measure(ServedStore store, int size) throws Exception {
    List<Double> swaps = new ArrayList<>();
    List<Double> rollbacks = new ArrayList<>();
    for (int version = 2; version <= VERSIONS; version++) {
      swaps.add(millis(store, version));
    }
    for (int i = 2; i <= VERSIONS; i++) {
      rollbacks.add(millis(store, 0));
    }
    Map<String, Object> params = Map.of("keys", size);
    double swap = median(swaps);
    double rollback = median(rollbacks);
    report.figure("swap", params, swap, "ms", "swap", 1);
    report.figure("rollback", params, rollback, "ms", "swap", rollback / swap);
    report.atMost("swap in ms, " + size + " keys", 10, swap);
    report.atMost("rollback in ms, " + size + " keys", 10, rollback);
  }

  private static double millis(ServedStore store, long version) throws Exception {
    long begun = System.nanoTime();
    if (version == 0) {
      store.rollBack(0);
    } else {
      store.swap(version, false);
    }
    return (System.nanoTime() - begun) / 1e6;
  }

  private static double median(List<Double> values) {
    return Comparison.medianOf(values.stream().mapToDouble(Double::doubleValue).toArray());
  }
}
