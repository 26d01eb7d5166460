package io.braid.benchmarks;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * Reads in an open loop, due at a fixed rate. The time of each read counts from its due time, so
 * that the time includes any wait.
 */
final class PacedReads {
  private static final double SHARE_OF_SATURATION = 0.1;
  private static final int ROOM_SECONDS = 60;

  private final Comparison.Operation operation;
  private final SplittableRandom random = new SplittableRandom(11);
  private final double perSecond;

  /**
   * Allocated once, and in the old generation by the first read. Otherwise the collector would stop
   * the reads to copy it.
   */
  private double[] micros;

  private int made;

  PacedReads(Comparison.Operation operation, double warmSeconds) throws Exception {
    this.operation = operation;
    saturate(warmSeconds);
    this.perSecond = saturate(warmSeconds) * SHARE_OF_SATURATION;
    this.micros = new double[(int) Math.max(1, perSecond * ROOM_SECONDS)];
  }

  double perSecond() {
    return perSecond;
  }

  private double saturate(double seconds) throws Exception {
    long begin = System.nanoTime();
    long reads = 0;
    while (System.nanoTime() - begin < seconds * 1e9) {
      operation.run(random);
      reads++;
    }
    return reads * 1e9 / (System.nanoTime() - begin);
  }

  /**
   * Reads for a time, and longer until {@code enough} holds. Returns the microseconds of each read,
   * sorted.
   */
  double[] run(double seconds, BooleanSupplier enough) throws Exception {
    System.gc();
    long begin = System.nanoTime();
    int count = 0;
    for (; ; count++) {
      long due = begin + (long) (count * 1e9 / perSecond);
      if (due - begin >= seconds * 1e9 && enough.getAsBoolean()) {
        break;
      }
      while (System.nanoTime() < due) {
        Thread.onSpinWait();
      }
      operation.run(random);
      if (count == micros.length) {
        micros = Arrays.copyOf(micros, 2 * count);
      }
      micros[count] = (System.nanoTime() - due) / 1e3;
    }
    made = count;
    double[] sorted = Arrays.copyOf(micros, count);
    Arrays.sort(sorted);
    return sorted;
  }

  /** Returns the microseconds of each read of the last run, in the order of their due times. */
  double[] inOrder() {
    return Arrays.copyOf(micros, made);
  }
}
