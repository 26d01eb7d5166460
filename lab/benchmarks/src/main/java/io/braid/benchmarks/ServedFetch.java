package io.braid.benchmarks;

import io.braid.core.runtime.SystemSeams;
import io.braid.serving.chunk.IndexKind;
import io.braid.serving.chunk.Search;
import io.braid.serving.files.Throttle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * Percentiles of reads before, during and after a throttled fetch, a prepare and a swap. The reads
 * after one fetch are also the reads before the next. A figure is the median of the ratios of the
 * rounds. The ratio of after to before shows how much of a figure is noise of the machine.
 */
final class ServedFetch {
  private static final int ROUNDS = 3;

  /** The number of steps that the reads before, during and after a fetch are each divided into. */
  private static final int STEPS = 10;

  private final Report report;
  private final ServedData data;
  private final double seconds;

  /**
   * @param seconds the time of a fetch; reading the version through takes the same time again
   */
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
      Throttle throttle = new Throttle(new SystemSeams(), (long) (data.bytes() / seconds));
      try (BraidPeer peer =
          BraidPeer.serve(built, scratch.child("node"), Search.BINARY, 1, throttle)) {
        PacedReads reads =
            new PacedReads(
                random -> {
                  if (peer.get(ServedData.key(random.nextInt(data.keys()))) == null) {
                    throw new IllegalStateException("A key that was loaded is missing.");
                  }
                },
                1);
        List<double[]> before = new ArrayList<>();
        List<double[]> during = new ArrayList<>();
        List<double[]> after = new ArrayList<>();
        double[] quiet = reads.run(seconds, () -> true);
        List<double[]> last = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
          long version = round + 2L;
          before.add(quiet);
          last = new ArrayList<>(List.of(reads.inOrder()));
          Future<?> fetch =
              beside.submit(
                  () -> {
                    peer.fetch(built, version, throttle);
                    peer.store().swap(version, false);
                    return null;
                  });
          during.add(reads.run(seconds, fetch::isDone));
          last.add(reads.inOrder());
          fetch.get();
          if (peer.store().version() != version) {
            throw new IllegalStateException("The fetched version is not live.");
          }
          quiet = reads.run(seconds, () -> true);
          after.add(quiet);
          last.add(reads.inOrder());
        }
        print("before", before, before, reads.perSecond());
        print("during", during, before, reads.perSecond());
        print("after", after, before, reads.perSecond());
        printOverTime(last, reads.perSecond());
        report.atMost(
            "99th percentile during fetch and swap to before", 1.2, ratio(during, before, 99));
      }
    } finally {
      beside.shutdownNow();
    }
  }

  private void print(String when, List<double[]> rounds, List<double[]> base, double perSecond) {
    for (double percentile : new double[] {50, 99, 99.9, 100}) {
      report.figure(
          "read " + when + " a fetch",
          Map.of("percentile", percentile, "perSecond", Math.round(perSecond)),
          Comparison.medianOf(rounds.stream().mapToDouble(r -> at(r, percentile)).toArray()),
          "us",
          "before",
          ratio(rounds, base, percentile));
    }
  }

  /**
   * Prints the last round step by step: the reads before, during and after the fetch with its swap.
   */
  private void printOverTime(List<double[]> round, double perSecond) {
    double start = 0;
    for (double[] part : round) {
      for (int step = 0; step < STEPS; step++) {
        int from = (int) ((long) part.length * step / STEPS);
        double[] sorted = sorted(part, from, (int) ((long) part.length * (step + 1) / STEPS));
        for (double percentile : new double[] {50, 99}) {
          report.figure(
              "read around a fetch",
              Map.of(
                  "second",
                  Math.round((start + from / perSecond) * 100) / 100.0,
                  "percentile",
                  Math.round(percentile)),
              at(sorted, percentile),
              "us",
              "",
              0);
        }
      }
      start += part.length / perSecond;
    }
  }

  private static double[] sorted(double[] all, int from, int to) {
    double[] part = Arrays.copyOfRange(all, from, to);
    Arrays.sort(part);
    return part;
  }

  private static double ratio(List<double[]> rounds, List<double[]> base, double percentile) {
    return Comparison.medianOf(
        IntStream.range(0, rounds.size())
            .mapToDouble(i -> at(rounds.get(i), percentile) / at(base.get(i), percentile))
            .toArray());
  }

  private static double at(double[] sorted, double percentile) {
    return sorted[(int) Math.min(sorted.length - 1, sorted.length * percentile / 100)];
  }
}
