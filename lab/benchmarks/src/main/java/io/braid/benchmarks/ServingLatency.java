package io.braid.benchmarks;

import io.braid.Braid;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Snapshot;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads of random rows in an open loop, due at a fixed rate. The time of each read counts from its
 * due time, so that the time includes any wait for others.
 */
final class ServingLatency {
  private static final Column<String> VALUE = Column.of("f", "v", Codecs.utf8());
  private static final double SHARE_OF_SATURATION = 0.5;

  private final Braid db;
  private final String table;
  private final int rows;
  private final double perSecond;
  private double others;

  ServingLatency(Braid db, String table, int rows, double warmSeconds) {
    this.db = db;
    this.table = table;
    this.rows = rows;
    saturate(warmSeconds);
    this.perSecond = saturate(warmSeconds) * SHARE_OF_SATURATION;
  }

  double perSecond() {
    return perSecond;
  }

  /** Returns the share of a core that other processes used during the last run. */
  double others() {
    return others;
  }

  /** Reads one after another. */
  private double saturate(double seconds) {
    SplittableRandom random = new SplittableRandom(7);
    long begin = System.nanoTime();
    long end = begin + (long) (seconds * 1e9);
    long reads = 0;
    while (System.nanoTime() < end) {
      read(random);
      reads++;
    }
    return reads * 1e9 / (System.nanoTime() - begin);
  }

  private void read(SplittableRandom random) {
    try (Snapshot now = db.snapshot()) {
      now.get(Row.of(table, LoadBench.key(random.nextInt(rows))), VALUE);
    }
  }

  /** Reads for a time and returns the microseconds of each read, sorted. */
  double[] run(double seconds, long seed) {
    int count = (int) (seconds * perSecond);
    double[] micros = new double[count];
    SplittableRandom random = new SplittableRandom(seed);
    OtherProcesses mark = OtherProcesses.mark();
    long begin = System.nanoTime();
    for (int i = 0; i < count; i++) {
      long due = begin + (long) (i * 1e9 / perSecond);
      while (System.nanoTime() < due) {
        if (due - System.nanoTime() > 100_000) {
          LockSupport.parkNanos(50_000);
        }
      }
      read(random);
      micros[i] = (System.nanoTime() - due) / 1e3;
    }
    others = mark.share();
    Arrays.sort(micros);
    return micros;
  }

  /** Reads while other work runs, which repeats until the time is over. */
  double[] runBeside(double seconds, long seed, LoadBench.Work other) throws Exception {
    ExecutorService beside = Executors.newSingleThreadExecutor();
    try {
      Future<?> work =
          beside.submit(
              () -> {
                other.run();
                return 0;
              });
      double[] micros = run(seconds, seed);
      work.get();
      return micros;
    } finally {
      beside.shutdownNow();
    }
  }
}
