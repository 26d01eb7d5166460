package io.braid.benchmarks;

import io.braid.serving.chunk.IndexKind;
import io.braid.serving.chunk.Search;
import io.braid.serving.node.ServedStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Swaps and rollbacks of a small and a large version, which are durable on return, and their effect
 * on reads.
 */
final class ServedSwaps {
  private static final int VERSIONS = 8;
  private static final int LARGE_VERSIONS = 4;
  private static final int CHANGES = 20;

  private final Report report;

  ServedSwaps(Report report) {
    this.report = report;
  }

  /**
   * @param gigabytes the size of another, still larger version; 0 for none. All its versions are
   *     the same files by hard links, each mapped by itself
   */
  void run(int keys, int gigabytes) throws Exception {
    run(new ServedData("100 bytes", 10_000, 100, 100), false);
    run(new ServedData("100 bytes", keys, 100, 100), false);
    if (gigabytes > 0) {
      int size = (int) (gigabytes * 1_000_000_000L / 1016);
      run(new ServedData("1000 bytes", size, 1000, 1000), true);
    }
  }

  private void run(ServedData data, boolean linked) throws Exception {
    try (Scratch scratch = Scratch.create()) {
      Path built = scratch.child("built");
      BraidPeer.build(built, IndexKind.BUCKETS, data.tuples());
      Path node = scratch.child("node");
      try (BraidPeer peer =
          linked
              ? BraidPeer.serveLinks(built, node, LARGE_VERSIONS)
              : BraidPeer.serve(built, node, Search.BINARY, VERSIONS)) {
        measure(peer.store(), data.keys(), linked ? LARGE_VERSIONS : VERSIONS);
        hammer(peer, data.keys());
      }
    }
  }

  private void measure(ServedStore store, int size, int versions) throws Exception {
    List<Double> swaps = new ArrayList<>();
    List<Double> rollbacks = new ArrayList<>();
    for (int version = 2; version <= versions; version++) {
      swaps.add(millis(store, version));
    }
    for (int i = 2; i <= versions; i++) {
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

  /**
   * Reads at a fixed rate, first without swaps and then during twenty of them, half of which are
   * rollbacks.
   */
  private void hammer(BraidPeer peer, int keys) throws Exception {
    PacedReads reads =
        new PacedReads(
            random -> {
              if (peer.get(ServedData.key(random.nextInt(keys))) == null) {
                throw new IllegalStateException("A key that was loaded is missing.");
              }
            },
            0.5);
    double[] quiet = reads.run(2, () -> true);
    ExecutorService beside = Executors.newSingleThreadExecutor();
    try {
      Future<?> swaps =
          beside.submit(
              () -> {
                for (int i = 0; i < CHANGES; i++) {
                  millis(peer.store(), i % 2 == 0 ? 2 : 0);
                  Thread.sleep(50);
                }
                return null;
              });
      double[] during = reads.run(2, swaps::isDone);
      swaps.get();
      longest("without", keys, quiet, quiet);
      longest("beside", keys, during, quiet);
      double most = during[during.length - 1] / 1000;
      report.atMost("longest read beside 20 swaps in ms, " + keys + " keys", 5, most);
    } finally {
      beside.shutdownNow();
    }
  }

  private void longest(String when, int keys, double[] micros, double[] base) {
    double most = micros[micros.length - 1];
    report.figure(
        "longest read " + when + " 20 swaps and rollbacks",
        Map.of("keys", keys, "p99.9 us", micros[(int) (micros.length * 0.999)]),
        most,
        "us",
        "without",
        most / base[base.length - 1]);
  }

  private static double millis(ServedStore store, long version) throws Exception {
    long begun = System.nanoTime();
    if (version == 0) {
      store.rollBack(0);
    } else {
      store.swap(version, true); // The version may have been rolled back.
    }
    return (System.nanoTime() - begun) / 1e6;
  }

  private static double median(List<Double> values) {
    return Comparison.medianOf(values.stream().mapToDouble(Double::doubleValue).toArray());
  }
}
