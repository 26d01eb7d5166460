package io.braid.benchmarks.hbase;

import static io.braid.benchmarks.hbase.BenchTables.COLUMN;
import static io.braid.benchmarks.hbase.BenchTables.OMID;
import static io.braid.benchmarks.hbase.BenchTables.PERCOLATOR;
import static io.braid.benchmarks.hbase.BenchTables.value;

import io.braid.Braid;
import io.braid.benchmarks.Report;
import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import io.braid.core.transaction.FastOptions;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.store.hbase.HBaseStore;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Calls to region servers for each transaction, counted at the sender. */
final class CallCounts {
  private static final int TIMES = 200;
  private static final int ROWS = 4;

  private final Report report;
  private final Braid db;
  private final Braid twoPhase;
  private final BenchTables tables;

  CallCounts(Report report, Braid db, Braid twoPhase, BenchTables tables) {
    this.report = report;
    this.db = db;
    this.twoPhase = twoPhase;
    this.tables = tables;
  }

  void run() throws Exception {
    FastSession fast = tables.omid().fast(FastOptions.DEFAULT);
    try (Snapshot snapshot = db.snapshot()) {
      count("snapshot read", db, 1, random -> snapshot.get(row(random), COLUMN));
    }
    count("one-row transaction", db, 1, random -> write(db, List.of(row(random)), random));
    count("fast read", db, 1, random -> fast.read(tables.row(OMID, random), COLUMN));
    count(
        "fast write",
        db,
        1,
        random -> fast.write(tables.row(OMID, random), COLUMN, Bytes.wrap(value(random))));
    count("four rows of one region", db, 1, random -> write(db, neighbours(random), random));
    // The calls are a prewrite at both servers at once, then the primary. The count does not wait
    // for later calls.
    count(
        "four rows on two servers, until it is committed",
        twoPhase,
        3,
        random -> write(twoPhase, spread(random), random));
  }

  private void count(
      String name, Braid by, double goal, io.braid.benchmarks.Comparison.Operation operation)
      throws Exception {
    HBaseStore store = (HBaseStore) by.store();
    SplittableRandom random = new SplittableRandom(3);
    operation.run(random);
    long least = Long.MAX_VALUE;
    long sum = 0;
    for (int i = 0; i < TIMES; i++) {
      long before = store.calls();
      operation.run(random);
      long calls = store.calls() - before;
      least = Math.min(least, calls);
      sum += calls;
      settle(store);
    }
    report.figure(
        name, Map.of("least", least), (double) sum / TIMES, "calls", "goal", sum / goal / TIMES);
    report.atMost("calls: " + name, goal, least);
  }

  /** Waits until background calls have ended, so that no count includes them. */
  private static void settle(HBaseStore store) throws InterruptedException {
    for (long before = -1; before != store.calls(); Thread.sleep(2)) {
      before = store.calls();
    }
  }

  private Row row(SplittableRandom random) {
    return tables.row(PERCOLATOR, random);
  }

  private List<Row> neighbours(SplittableRandom random) {
    return tables.neighbours(random, ROWS).stream()
        .map(key -> Row.of(PERCOLATOR, Bytes.wrap(key)))
        .toList();
  }

  /** Returns two rows of each region. */
  private List<Row> spread(SplittableRandom random) {
    List<byte[]> keys = tables.neighbours(random, ROWS);
    for (int i = 0; i < ROWS; i += 2) {
      keys.get(i)[0] |= (byte) 0x80;
    }
    return keys.stream().map(key -> Row.of(PERCOLATOR, Bytes.wrap(key))).toList();
  }

  private static void write(Braid db, List<Row> rows, SplittableRandom random) {
    try (Transaction tx = db.begin()) {
      rows.forEach(row -> tx.set(row, COLUMN, Bytes.wrap(value(random))));
      tx.commit();
    }
  }
}
