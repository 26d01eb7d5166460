package io.braid.benchmarks.scaling;

import com.sun.management.OperatingSystemMXBean;
import io.braid.Braid;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Protocol;
import io.braid.store.rocksdb.RocksStore;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/**
 * Transactions of five reads and five writes of random rows, by any number of clients, and their
 * cost.
 */
final class TransactionLoad {
  /** The number of reads of a transaction, and the number of its writes. */
  static final int OPERATIONS = 5;

  private static final String TABLE = "rows";
  private static final Column<Bytes> COLUMN = Column.of("f", "q", Codecs.bytes());
  private static final int LOADED_AT_ONCE = 1000;
  private static final int MOST_WARM_UPS = 6;

  /** The share of the previous run's cost above which a run has gained little by the warm-up. */
  private static final double WARM = 0.9;

  private final Braid db;
  private final int rows;
  private final long millis;

  /**
   * The measurement of a run.
   *
   * @param processor seconds of the whole process for a transaction
   * @param elapsed seconds of a transaction, without the pause after it
   * @param paused seconds of a pause: the machine does not wake a thread in time
   */
  record Measured(double perSecond, double processor, double elapsed, double paused) {}

  /**
   * @param rows the number of rows of the table
   * @param millis the length of each of the three runs
   */
  TransactionLoad(Braid db, int rows, long millis) {
    this.db = db;
    this.rows = rows;
    this.millis = millis;
  }

  /** Creates a database and a table with this number of rows. */
  static Braid filled(Path directory, int count) {
    Braid db = Braid.open(directory);
    db.ensureTable(TABLE, Protocol.PERCOLATOR, "f");
    SplittableRandom random = new SplittableRandom(1);
    for (int from = 0; from < count; from += LOADED_AT_ONCE) {
      int first = from;
      int end = Math.min(count, from + LOADED_AT_ONCE);
      db.run(
          tx -> {
            for (int i = first; i < end; i++) {
              tx.set(row(i), COLUMN, value(random));
            }
            return true;
          });
    }
    ((RocksStore) db.store()).compact();
    return db;
  }

  /**
   * Runs without pauses until the compilers have done their work. The warm-up ends when a
   * transaction costs about as much as in the previous run, or after the maximum number of runs.
   */
  void warmUp() throws Exception {
    double before = Double.MAX_VALUE;
    for (int i = 0; i < MOST_WARM_UPS; i++) {
      double now = run(1, 0).processor();
      if (now > WARM * before) {
        return;
      }
      before = now;
    }
  }

  /** Returns the median of three runs. */
  Measured run(int clients, double pauseMillis) throws Exception {
    List<Measured> runs = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      runs.add(once(clients, pauseMillis));
    }
    runs.sort((a, b) -> Double.compare(a.perSecond, b.perSecond));
    return runs.get(1);
  }

  /** The work of one client: transactions, and the nanoseconds in transactions and in pauses. */
  private record Done(long transactions, long nanos, long paused) {}

  private Measured once(int clients, double pauseMillis) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(clients);
    try {
      long cpu = processorNanos();
      long begin = System.nanoTime();
      List<Future<Done>> all = new ArrayList<>();
      for (int t = 0; t < clients; t++) {
        SplittableRandom random = new SplittableRandom(t + 1);
        all.add(pool.submit(() -> client(random, pauseMillis, begin + millis * 1_000_000)));
      }
      long transactions = 0;
      long nanos = 0;
      long paused = 0;
      for (Future<Done> each : all) {
        Done done = each.get();
        transactions += done.transactions;
        nanos += done.nanos;
        paused += done.paused;
      }
      double seconds = (System.nanoTime() - begin) / 1e9;
      double many = Math.max(1, transactions);
      return new Measured(
          many / seconds,
          (processorNanos() - cpu) / 1e9 / many,
          nanos / 1e9 / many,
          paused / 1e9 / many);
    } finally {
      pool.shutdownNow();
    }
  }

  private Done client(SplittableRandom random, double pauseMillis, long end) {
    long transactions = 0;
    long nanos = 0;
    long paused = 0;
    for (long now = System.nanoTime(); now < end; ) {
      db.run(
          tx -> {
            for (int i = 0; i < OPERATIONS; i++) {
              tx.get(row(random.nextInt(rows)), COLUMN);
              tx.set(row(random.nextInt(rows)), COLUMN, value(random));
            }
            return true;
          });
      long after = System.nanoTime();
      transactions++;
      nanos += after - now;
      if (pauseMillis > 0) {
        // The pause is exponential, as in the model.
        LockSupport.parkNanos(Math.round(-Math.log(1 - random.nextDouble()) * pauseMillis * 1e6));
      }
      now = System.nanoTime();
      paused += now - after;
    }
    return new Done(transactions, nanos, paused);
  }

  private static Row row(int i) {
    long mixed = (i + 1) * 0x9E3779B97F4A7C15L;
    byte[] key = ByteBuffer.allocate(16).putLong(mixed).putLong(i).array();
    return Row.of(TABLE, Bytes.wrap(key));
  }

  private static Bytes value(SplittableRandom random) {
    byte[] value = new byte[100];
    random.nextBytes(value);
    return Bytes.wrap(value);
  }

  private static long processorNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
