package io.braid.benchmarks.hbase;

import io.braid.benchmarks.Comparison;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * The latency of single operations with one thread. The cases run in turn, a short slice each. A
 * case's figure is the median of its rounds' medians. A ratio is the median of the ratios of two
 * cases in the same round.
 */
final class Latencies {
  private static final int MOST = 1 << 20;

  /** A slice of a case. It runs for a time and returns the median in microseconds. */
  interface Slice {
    double median(long millis) throws Exception;
  }

  private final Map<String, Slice> cases = new LinkedHashMap<>();
  private final SplittableRandom random = new SplittableRandom(7);
  private final Map<String, double[]> medians = new LinkedHashMap<>();
  private final long[] nanos = new long[MOST];

  Latencies add(String name, Comparison.Operation operation) {
    return addElsewhere(name, millis -> slice(operation, millis));
  }

  /** Adds a case that another process runs. */
  Latencies addElsewhere(String name, Slice slice) {
    cases.put(name, slice);
    return this;
  }

  Latencies run(int rounds, long sliceMillis) throws Exception {
    for (int warm = 0; warm < 10; warm++) {
      for (Slice each : cases.values()) {
        each.median(sliceMillis);
      }
    }
    cases.keySet().forEach(name -> medians.put(name, new double[rounds]));
    for (int round = 0; round < rounds; round++) {
      for (Map.Entry<String, Slice> each : cases.entrySet()) {
        medians(each.getKey())[round] = each.getValue().median(sliceMillis);
      }
    }
    return this;
  }

  private double[] medians(String name) {
    return Objects.requireNonNull(medians.get(name), name);
  }

  /** Runs an operation for a slice and returns the median in microseconds. */
  private double slice(Comparison.Operation operation, long millis) throws Exception {
    long end = System.nanoTime() + millis * 1_000_000;
    int count = 0;
    for (long begin = System.nanoTime(); begin < end && count < MOST; ) {
      operation.run(random);
      long now = System.nanoTime();
      nanos[count++] = now - begin;
      begin = now;
    }
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return sorted[count / 2] / 1e3;
  }

  double median(String name) {
    return Comparison.medianOf(medians(name));
  }

  double ratio(String name, String to) {
    double[] these = medians(name);
    double[] those = medians(to);
    double[] ratios = new double[these.length];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = these[i] / those[i];
    }
    return Comparison.medianOf(ratios);
  }
}
