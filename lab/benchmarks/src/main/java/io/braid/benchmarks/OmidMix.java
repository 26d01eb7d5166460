package io.braid.benchmarks;

import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.FastSession.Versioned;
import io.braid.core.transaction.Transaction;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/**
 * The workload of section 5.1.3. The sizes of the transactions follow Zipf with 0.99, up to 10.
 * Half of the accesses are reads. The keys follow Zipf with 0.8. In BRWC, a fifth of the
 * transactions read a key and write it. The times of begin, reads, writes and commit are kept by
 * transaction size.
 */
final class OmidMix {
  static final int MOST = 10;
  private static final int VALUE_BYTES = 100;
  private static final Column<Bytes> COLUMN = Column.of("f", "q", Codecs.bytes());

  private final Zipf sizes = new Zipf(MOST, 0.99);
  private final Zipf keys;
  private final int rows;
  private int turn;

  /** The times of the transactions of one kind, in ns. */
  static final class Took {
    private final double[] phases = new double[4];
    private long committed;
    private long aborted;

    /** Adds times in the order begin, reads, writes, commit. */
    void add(long... nanos) {
      for (int i = 0; i < nanos.length; i++) {
        phases[i] += nanos[i];
      }
      committed++;
    }

    void addAll(Took other) {
      for (int i = 0; i < phases.length; i++) {
        phases[i] += other.phases[i];
      }
      committed += other.committed;
      aborted += other.aborted;
    }

    long committed() {
      return committed;
    }

    double micros(int phase) {
      return committed == 0 ? 0 : phases[phase] / committed / 1e3;
    }

    double micros() {
      return micros(0) + micros(1) + micros(2) + micros(3);
    }

    double abortRate() {
      return committed + aborted == 0 ? 0 : (double) aborted / (committed + aborted);
    }
  }

  /**
   * The load of a run.
   *
   * @param brwc whether a fifth of the transactions read a key and write it
   * @param background additional load on the manager, in transactions a second
   * @param pace how many transactions a second all clients together begin; 0 for as many as they
   *     can
   */
  record Load(boolean brwc, int clients, long background, long pace) {}

  /**
   * The result of a run, by transaction size. Index 0 has the transactions that read a key and
   * write it.
   *
   * @param posted the number of transactions in the additional load on the manager
   */
  record Result(double seconds, Took[] bySize, long posted) {
    Took of(int from, int to) {
      Took sum = new Took();
      for (int i = from; i <= to; i++) {
        sum.addAll(bySize[i]);
      }
      return sum;
    }

    Result plus(Result other) {
      for (int i = 0; i <= MOST; i++) {
        bySize[i].addAll(other.bySize[i]);
      }
      return new Result(seconds + other.seconds, bySize, posted + other.posted);
    }

    double postedPerSecond() {
      return posted / seconds;
    }

    double perSecond() {
      return of(0, MOST).committed() / seconds;
    }
  }

  OmidMix(int rows) {
    this.rows = rows;
    this.keys = new Zipf(rows, 0.8);
  }

  void fill(OmidVariant variant) {
    SplittableRandom random = new SplittableRandom(3);
    for (int from = 0; from < rows; from += 1000) {
      int first = from;
      variant
          .transactions()
          .run(
              tx -> {
                for (int i = first; i < Math.min(rows, first + 1000); i++) {
                  tx.set(row(variant, i), COLUMN, value(random));
                }
                return 0;
              });
    }
  }

  /** Runs the load for some time. */
  Result run(OmidVariant variant, Load load, long millis) throws Exception {
    int clients = load.clients;
    long before = variant.posted();
    ExecutorService threads = Executors.newFixedThreadPool(clients + 1);
    try {
      Future<?> beside = threads.submit(() -> variant.load(load.background));
      CountDownLatch start = new CountDownLatch(1);
      List<Future<Took[]>> ends = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        SplittableRandom random = new SplittableRandom(turn++);
        ends.add(
            threads.submit(
                () -> {
                  start.await();
                  return work(variant, load, random, millis);
                }));
      }
      long begin = System.nanoTime();
      start.countDown();
      Took[] sum = none();
      for (Future<Took[]> end : ends) {
        Took[] some = end.get();
        for (int i = 0; i <= MOST; i++) {
          sum[i].addAll(some[i]);
        }
      }
      double seconds = (System.nanoTime() - begin) / 1e9;
      beside.cancel(true);
      return new Result(seconds, sum, variant.posted() - before);
    } finally {
      threads.shutdownNow();
    }
  }

  private static Took[] none() {
    Took[] none = new Took[MOST + 1];
    for (int i = 0; i <= MOST; i++) {
      none[i] = new Took();
    }
    return none;
  }

  private Took[] work(OmidVariant variant, Load load, SplittableRandom random, long millis) {
    Took[] took = none();
    long end = System.nanoTime() + millis * 1_000_000;
    long every = load.pace == 0 ? 0 : load.clients * 1_000_000_000L / load.pace;
    long due = System.nanoTime() + (every == 0 ? 0 : random.nextLong(every));
    for (; System.nanoTime() - end < 0; due += every) {
      while (every > 0 && System.nanoTime() - due < 0) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      boolean both = load.brwc && random.nextInt(5) == 0;
      int size = both ? 0 : sizes.next(random) + 1;
      try {
        FastSession fast = variant.fast();
        if (size <= 1 && fast != null) {
          single(variant, fast, both, random, took[size]);
        } else {
          regular(variant, both, size, random, took[size]);
        }
      } catch (ConflictException e) {
        took[size].aborted++;
      }
    }
    return took;
  }

  private void single(
      OmidVariant variant, FastSession fast, boolean both, SplittableRandom random, Took took) {
    Row row = row(variant, keys.next(random));
    boolean reads = both || random.nextBoolean();
    long begin = System.nanoTime();
    Versioned<Optional<Bytes>> found = reads ? fast.readVersion(row, COLUMN) : null;
    long read = System.nanoTime();
    if (both && found != null) {
      fast.writeIf(found.version(), row, COLUMN, value(random));
    } else if (!reads) {
      fast.write(row, COLUMN, value(random));
    }
    took.add(0, read - begin, System.nanoTime() - read, 0);
  }

  private void regular(
      OmidVariant variant, boolean both, int size, SplittableRandom random, Took took) {
    long begin = System.nanoTime();
    try (Transaction tx = variant.transactions().begin()) {
      long begun = System.nanoTime();
      long reads = 0;
      long writes = 0;
      for (int i = both ? -1 : 0; i < size; i++) {
        Row row = row(variant, keys.next(random));
        long before = System.nanoTime();
        boolean read = both || random.nextBoolean();
        if (read) {
          tx.get(row, COLUMN);
        }
        long between = System.nanoTime();
        if (both || !read) {
          tx.set(row, COLUMN, value(random));
        }
        reads += between - before;
        writes += System.nanoTime() - between;
      }
      long before = System.nanoTime();
      tx.commit();
      took.add(begun - begin, reads, writes, System.nanoTime() - before);
    }
  }

  private static Row row(OmidVariant variant, int i) {
    long mixed = (i + 1) * 0x9E3779B97F4A7C15L;
    byte[] key =
        ByteBuffer.allocate(16).putLong(mixed).putLong(mixed * 0xBF58476D1CE4E5B9L).array();
    return Row.of(variant.table(), Bytes.wrap(key));
  }

  private static Bytes value(SplittableRandom random) {
    byte[] value = new byte[VALUE_BYTES];
    random.nextBytes(value);
    return Bytes.wrap(value);
  }
}
