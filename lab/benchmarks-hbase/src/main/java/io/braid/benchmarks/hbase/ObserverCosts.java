package io.braid.benchmarks.hbase;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.benchmarks.Report;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Snapshot;
import io.braid.observers.Observer;
import io.braid.store.hbase.HBaseStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;

/**
 * The rate of changes that are written and observed, each followed by its own transaction. The
 * benchmark also measures the time from a write until a reader sees the observer's write. The
 * workers are in the writer's process, or elsewhere, where a hint by way of the coordinator reports
 * the write.
 */
final class ObserverCosts {
  private static final String TABLE = "changes";
  private static final Column<Bytes> CHANGED = Column.of("f", "changed", Codecs.bytes());
  private static final Column<Bytes> DERIVED = Column.of("f", "derived", Codecs.bytes());

  /**
   * The number of warm rounds, which are reported one by one. A rate that falls with the amount of
   * earlier writes is a defect.
   */
  private static final int WARM_ROUNDS = 6;

  private static final int BATCH = 100;
  private static final int WORKERS = 16;

  private final Report report;
  private final BenchCluster cluster;
  private final RawHBase raw;
  private final Processors processors;
  private final boolean quick;
  private long rows;

  ObserverCosts(
      Report report, BenchCluster cluster, RawHBase raw, Processors processors, boolean quick) {
    this.raw = raw;
    this.processors = processors;
    this.report = report;
    this.cluster = cluster;
    this.quick = quick;
  }

  void run() throws IOException {
    try (Braid db =
            cluster.connect(
                BraidConfig.defaults().with("observers.workers", String.valueOf(WORKERS)));
        Braid writer = cluster.connect(BraidConfig.defaults())) {
      db.dropTable(TABLE);
      db.ensureTable(TABLE, "f");
      db.observe(
          Observer.of(
              "derive",
              TABLE,
              CHANGED,
              (tx, row) -> tx.set(row, DERIVED, tx.get(row, CHANGED).orElse(Bytes.EMPTY))));
      db.store().splitTablet(TABLE, Bytes.ofInts(0x80));
      raw.spread(TableName.valueOf(cluster.space(), TABLE));
      db.startWorkers();
      probes(db, 100);
      double same = probes(db, quick ? 200 : 1000);
      double other = probes(writer, quick ? 20 : 100);
      report.figure(
          "write to observer's commit", Map.of("workers", "same process"), same, "ms", "itself", 1);
      report.figure(
          "write to observer's commit",
          Map.of("workers", "another process"),
          other,
          "ms",
          "same process",
          other / same);
      report.atMost("ms from write to observer's commit, median", 50, same);
      report.atMost("ms from write to observer's commit elsewhere, median", 50, other);
      throughput(db);
    }
  }

  private void throughput(Braid db) {
    for (int round = 1; round <= WARM_ROUNDS; round++) {
      report.figure(
          "written and observed while warming up",
          Map.of("round", round),
          changes(db, quick ? 2_000 : 20_000),
          "changes/s",
          "itself",
          1);
    }
    int count = quick ? 10_000 : 60_000;
    long before = calls(db);
    long micros = processors.micros();
    double rate = changes(db, count);
    each("calls", (double) (calls(db) - before) / count);
    each("us of processor time", (double) (processors.micros() - micros) / count);
    report.figure(
        "written and observed",
        Map.of("rows_per_transaction", BATCH, "workers", WORKERS),
        rate,
        "changes/s",
        "itself",
        1);
    report.atLeast("changes written and observed per second", 8_000, rate);
  }

  private void each(String unit, double value) {
    report.figure(
        "for each change that is written and observed",
        Map.of("rows_per_transaction", BATCH, "workers", WORKERS),
        value,
        unit,
        "itself",
        1);
  }

  /** Returns the calls of the writer, the observer and the background work to region servers. */
  private static long calls(Braid db) {
    return ((HBaseStore) db.store()).calls();
  }

  private double changes(Braid db, int count) {
    long begin = System.nanoTime();
    for (int i = 0; i < count; i += BATCH) {
      write(db, BATCH);
      while (db.observerStats().pending() > 10_000) {
        pause();
      }
    }
    if (!db.awaitObserversIdle(Duration.ofMinutes(5))) {
      throw new IllegalStateException("The observers do not come to rest.");
    }
    return count * 1e9 / (System.nanoTime() - begin);
  }

  private void write(Braid db, int count) {
    Bytes value = Bytes.wrap(new byte[100]);
    long first = rows;
    rows += count;
    db.run(
        tx -> {
          for (int i = 0; i < count; i++) {
            tx.set(row(first + i), CHANGED, value);
          }
          return true;
        });
  }

  /** Returns the median of some probes, one after another, in milliseconds. */
  private double probes(Braid by, int count) {
    double[] millis = new double[count];
    for (int i = 0; i < count; i++) {
      Row row = row(rows);
      long begin = System.nanoTime();
      write(by, 1);
      while (!isDerived(by, row)) {
        Thread.onSpinWait();
      }
      millis[i] = (System.nanoTime() - begin) / 1e6;
    }
    Arrays.sort(millis);
    return millis[count / 2];
  }

  private static boolean isDerived(Braid db, Row row) {
    try (Snapshot now = db.snapshot()) {
      return now.get(row, DERIVED).isPresent();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(1);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the row of a key of sixteen bytes, spread over the key space. */
  private static Row row(long i) {
    byte[] key = ByteBuffer.allocate(16).putLong(i * 0x9E3779B97F4A7C15L).putLong(i).array();
    return Row.of(TABLE, Bytes.wrap(key));
  }
}
