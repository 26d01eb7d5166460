package io.braid.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Cases that do the same work in different ways. They run in turn, one slice of time each, for some
 * rounds after a warm-up; a case is compared with the raw one round by round, and the median of the
 * rounds' ratios is its figure.
 */
final class Comparison {
  /** One operation; draws what it needs from the random numbers of its thread. */
  interface Operation {
    void run(SplittableRandom random) throws Exception;
  }

  /** Operations per second of each round. */
  record Figures(String name, double[] perSecond) {
    double median() {
      return medianOf(perSecond);
    }

    double ratioTo(Figures other) {
      double[] ratios = new double[perSecond.length];
      for (int i = 0; i < ratios.length; i++) {
        ratios[i] = perSecond[i] / other.perSecond[i];
      }
      return medianOf(ratios);
    }
  }

  /** The figures of all cases, in the order of their names. */
  record Results(Map<String, Figures> all) {
    Figures of(String name) {
      return Objects.requireNonNull(all.get(name), name);
    }

    double ratio(String name, String to) {
      return of(name).ratioTo(of(to));
    }
  }

  private record Case(String name, Operation operation) {}

  private final List<Case> cases = new ArrayList<>();
  private final int threads;
  private final int rounds;
  private final long sliceNanos;

  Comparison(int threads, int rounds, long sliceMillis) {
    this.threads = threads;
    this.rounds = rounds;
    this.sliceNanos = sliceMillis * 1_000_000;
  }

  Comparison add(String name, Operation operation) {
    cases.add(new Case(name, operation));
    return this;
  }

  /** Runs all rounds; the order of the cases turns by one each round. */
  Results run() throws Exception {
    Map<String, Figures> figures = new LinkedHashMap<>();
    cases.forEach(each -> figures.put(each.name, new Figures(each.name, new double[rounds])));
    Results results = new Results(figures);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      for (int round = -1; round < rounds; round++) {
        for (int i = 0; i < cases.size(); i++) {
          Case each = cases.get((i + Math.max(round, 0)) % cases.size());
          double perSecond = slice(pool, each.operation, round);
          if (round >= 0) {
            results.of(each.name).perSecond()[round] = perSecond;
          }
        }
      }
    } finally {
      pool.shutdownNow();
    }
    return results;
  }

  private double slice(ExecutorService pool, Operation operation, int round) throws Exception {
    CountDownLatch start = new CountDownLatch(1);
    List<Future<Double>> results = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      SplittableRandom random = new SplittableRandom(1_000L * round + t);
      results.add(
          pool.submit(
              () -> {
                start.await();
                return perSecond(operation, random);
              }));
    }
    start.countDown();
    double sum = 0;
    for (Future<Double> result : results) {
      try {
        sum += result.get();
      } catch (ExecutionException e) {
        throw e.getCause() instanceof Exception cause ? cause : e;
      }
    }
    return sum;
  }

  private double perSecond(Operation operation, SplittableRandom random) throws Exception {
    long begin = System.nanoTime();
    long operations = 0;
    long now = begin;
    while (now - begin < sliceNanos) {
      for (int i = 0; i < 16; i++) {
        operation.run(random);
      }
      operations += 16;
      now = System.nanoTime();
    }
    return operations * 1e9 / (now - begin);
  }

  static double medianOf(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
