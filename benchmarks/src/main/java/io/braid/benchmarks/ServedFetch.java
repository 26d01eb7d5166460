package io.braid.benchmarks;

import io.braid.serving.chunk.IndexKind;
import io.braid.serving.chunk.Search;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Percentiles of reads before, during and after a throttled fetch, a prepare and a swap. */
final class ServedFetch {
  private final Report report;
  private final ServedData data;
  private final double seconds;

  ServedFetch(Report report, ServedData data, double seconds) {
    this.report = report;
    this.data = data;
    this.seconds = seconds;
  }

  void run() throws Exception {
    ExecutorService beside = Executors.newSingleThreadExecutor();
    try (Scratch scratch = Scratch.create()) {
      Path built = scratch.child("built");
      BraidPeer.build(built, IndexKind.BUCKETS, data.tuples());
      try (BraidPeer peer = BraidPeer.serve(built, scratch.child("node"), Search.BINARY, 1)) {
        PacedReads reads =
            new PacedReads(
                random -> {
                  if (peer.get(ServedData.key(random.nextInt(data.keys()))) == null) {
                    throw new IllegalStateException("A key that was loaded is missing.");
                  }
                },
                1);
        double[] before = reads.run(seconds, () -> true);
        long rate = (long) (data.bytes() / seconds);
        Future<?> fetch =
            beside.submit(
                () -> {
                  peer.fetch(built, 2, rate);
                  peer.store().swap(2, false);
                  return null;
                });
        double[] during = reads.run(seconds, fetch::isDone);
        fetch.get();
        double[] after = reads.run(seconds, () -> true);
        if (peer.store().version() != 2) {
          throw new IllegalStateException("The fetched version is not live.");
        }
        print("before", before, before, reads.perSecond());
        print("during", during, before, reads.perSecond());
        print("after", after, before, reads.perSecond());
        report.atMost(
            "99th percentile during fetch and swap to before",
            1.2,
            at(during, 99) / at(before, 99));
      }
    } finally {
      beside.shutdownNow();
    }
  }

  private void print(String when, double[] micros, double[] base, double perSecond) {
    for (double percentile : new double[] {50, 99, 99.9, 100}) {
      double value = at(micros, percentile);
      report.figure(
          "read " + when + " a fetch",
          Map.of("percentile", percentile, "perSecond", Math.round(perSecond)),
          value,
          "us",
          "before",
          value / at(base, percentile));
    }
  }

  private static double at(double[] sorted, double percentile) {
    return sorted[(int) Math.min(sorted.length - 1, sorted.length * percentile / 100)];
  }
}
