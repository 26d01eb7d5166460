package io.braid.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
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
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Cases that do the same work in different ways. The cases run in turn, one short slice of time
 * each, for many rounds after a warm-up. A case is compared with the raw case round by round. Its
 * figure is the median of the rounds' ratios. Slices are short so that other load on the machine
 * affects neighbours alike.
 */
public final class Comparison {
  /** One operation, which draws from the random numbers of its thread. */
  public interface Operation {
    void run(SplittableRandom random) throws Exception;
  }

  /**
   * The length of a measurement.
   *
   * @param rounds counted slices of each case
   * @param sliceMillis the length of one slice
   * @param warmUpMillis how long each case runs before anything counts; up to five times longer if
   *     the case completes too few operations for the compiler
   */
  public record Effort(int rounds, long sliceMillis, long warmUpMillis) {}

  /** Operations per second of each round, and per second of processor time of their threads. */
  public record Figures(String name, double[] perSecond, double[] perCpuSecond) {
    public double median() {
      return medianOf(perSecond);
    }

    public double ratioTo(Figures other) {
      return medianRatio(perSecond, other.perSecond);
    }

    /**
     * Returns the {@link #ratioTo ratio} by processor time, which excludes the load of other
     * processes.
     */
    public double cpuRatioTo(Figures other) {
      return medianRatio(perCpuSecond, other.perCpuSecond);
    }

    private static double medianRatio(double[] these, double[] those) {
      double[] ratios = new double[these.length];
      for (int i = 0; i < ratios.length; i++) {
        ratios[i] = these[i] / those[i];
      }
      return medianOf(ratios);
    }
  }

  /** The figures of all cases, in the order of their names. */
  public record Results(Map<String, Figures> all) {
    public Figures of(String name) {
      return Objects.requireNonNull(all.get(name), name);
    }

    public double ratio(String name, String to) {
      return of(name).ratioTo(of(to));
    }
  }

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private record Case(String name, int threads, Operation operation) {}

  private final List<Case> cases = new ArrayList<>();
  private final int threads;
  private final Effort effort;
  private static final int WARM_OPERATIONS = 40_000;

  private int operationsAtOnce = 16;
  private @Nullable LongSupplier processorMicros;
  private int turn;

  /**
   * @param threads the threads of each case, unless the case has its own number
   */
  public Comparison(int threads, Effort effort) {
    this.threads = threads;
    this.effort = effort;
  }

  /** Warms up for as long as one slice. */
  public Comparison(int threads, int rounds, long sliceMillis) {
    this(threads, new Effort(rounds, sliceMillis, sliceMillis));
  }

  /** Takes the processor time from this source, not from the threads that operate. */
  public Comparison countedBy(LongSupplier micros) {
    processorMicros = micros;
    return this;
  }

  public Comparison add(String name, Operation operation) {
    return add(name, threads, operation);
  }

  public Comparison add(String name, int own, Operation operation) {
    cases.add(new Case(name, own, operation));
    return this;
  }

  /** Prepares for long operations: the clock is read after each operation. */
  public Comparison slow() {
    operationsAtOnce = 1;
    return this;
  }

  /** Runs all rounds. The order of the cases rotates by one each round. */
  public Results run() throws Exception {
    Map<String, Figures> figures = new LinkedHashMap<>();
    for (Case each : cases) {
      double[] perSecond = new double[effort.rounds];
      figures.put(each.name, new Figures(each.name, perSecond, perSecond.clone()));
    }
    Results results = new Results(figures);
    ExecutorService pool =
        Executors.newFixedThreadPool(cases.stream().mapToInt(Case::threads).max().orElse(1));
    try {
      for (Case each : cases) {
        warmUp(pool, each);
      }
      for (int round = 0; round < effort.rounds; round++) {
        for (int i = 0; i < cases.size(); i++) {
          Case each = cases.get((i + round) % cases.size());
          Speed speed = slice(pool, each, effort.sliceMillis);
          results.of(each.name).perSecond()[round] = speed.perSecond;
          results.of(each.name).perCpuSecond()[round] = speed.perCpuSecond;
        }
      }
    } finally {
      pool.shutdownNow();
    }
    return results;
  }

  private void warmUp(ExecutorService pool, Case each) throws Exception {
    long wanted = operationsAtOnce == 1 ? 0 : WARM_OPERATIONS;
    long slice = Math.max(1, effort.warmUpMillis / 4);
    double done = 0;
    for (int i = 0; i < 4 || (i < 20 && done < wanted); i++) {
      done += slice(pool, each, slice).perSecond * slice / 1000;
    }
  }

  private record Speed(double perSecond, double perCpuSecond) {
    Speed plus(Speed other) {
      return new Speed(perSecond + other.perSecond, perCpuSecond + other.perCpuSecond);
    }
  }

  private Speed slice(ExecutorService pool, Case each, long millis) throws Exception {
    CountDownLatch ready = new CountDownLatch(each.threads);
    CountDownLatch start = new CountDownLatch(1);
    List<Future<Speed>> results = new ArrayList<>();
    for (int t = 0; t < each.threads; t++) {
      SplittableRandom random = new SplittableRandom(turn++);
      results.add(
          pool.submit(
              () -> {
                ready.countDown();
                start.await();
                return speed(each.operation, random, millis * 1_000_000);
              }));
    }
    ready.await();
    LongSupplier processors = processorMicros;
    long cpu = processors == null ? 0 : processors.getAsLong();
    long begin = System.nanoTime();
    start.countDown();
    Speed sum = new Speed(0, 0);
    for (Future<Speed> result : results) {
      try {
        sum = sum.plus(result.get());
      } catch (ExecutionException e) {
        throw e.getCause() instanceof Exception cause ? cause : e;
      }
    }
    if (processors != null) {
      double operations = sum.perSecond * (System.nanoTime() - begin) / 1e9;
      cpu = Math.max(1, processors.getAsLong() - cpu);
      return new Speed(sum.perSecond, operations * 1e6 / cpu);
    }
    return sum;
  }

  private Speed speed(Operation operation, SplittableRandom random, long nanos) throws Exception {
    long cpu = THREADS.getCurrentThreadCpuTime();
    long begin = System.nanoTime();
    long operations = 0;
    long now = begin;
    while (now - begin < nanos) {
      for (int i = 0; i < operationsAtOnce; i++) {
        operation.run(random);
      }
      operations += operationsAtOnce;
      now = System.nanoTime();
    }
    cpu = Math.max(1, THREADS.getCurrentThreadCpuTime() - cpu);
    return new Speed(operations * 1e9 / (now - begin), operations * 1e9 / cpu);
  }

  public static double medianOf(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
