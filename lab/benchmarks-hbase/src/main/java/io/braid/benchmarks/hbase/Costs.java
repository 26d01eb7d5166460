package io.braid.benchmarks.hbase;

import static io.braid.benchmarks.hbase.BenchTables.COLUMN;
import static io.braid.benchmarks.hbase.BenchTables.OMID;
import static io.braid.benchmarks.hbase.BenchTables.PERCOLATOR;
import static io.braid.benchmarks.hbase.BenchTables.value;

import io.braid.Braid;
import io.braid.benchmarks.Comparison;
import io.braid.benchmarks.Report;
import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import io.braid.core.transaction.FastOptions;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.Transactions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** Latency with one thread and throughput with many, each relative to raw HBase. */
final class Costs {
  private static final String GET = "raw get";
  private static final String PUT = "raw put";
  private static final String BATCH = "raw batch of five";
  private static final String SINGLY = ", a message for each call";
  private static final int FIVE = 5;

  private final Report report;
  private final BenchCluster cluster;
  private final RawHBase raw;
  private final Braid coordinator;
  private final Braid db;
  private final Braid twoPhase;
  private final BenchTables tables;
  private final FastSession fast;

  Costs(
      Report report,
      BenchCluster cluster,
      RawHBase raw,
      Braid coordinator,
      Braid db,
      Braid twoPhase,
      BenchTables tables) {
    this.report = report;
    this.cluster = cluster;
    this.raw = raw;
    this.coordinator = coordinator;
    this.db = db;
    this.twoPhase = twoPhase;
    this.tables = tables;
    this.fast = tables.omid().fast(FastOptions.DEFAULT);
  }

  void latency(int rounds, long slice) throws Exception {
    try (Snapshot snapshot = db.snapshot()) {
      Latencies reads =
          new Latencies()
              .add(GET, random -> raw.get(tables.key(random)))
              .add("snapshot read", random -> present(snapshot.get(row(random), COLUMN)))
              .add("begin and read", this::beginAndRead)
              .add("fast read", random -> present(fast.read(omidRow(random), COLUMN)))
              .run(rounds, slice);
      print(reads, GET, List.of(GET, "snapshot read", "begin and read", "fast read"));
      report.atMost("snapshot read to raw get", 1.1, reads.ratio("snapshot read", GET));
      report.atMost("fast read to raw get", 1.1, reads.ratio("fast read", GET));
    }
    Latencies writes =
        new Latencies()
            .add(PUT, random -> raw.put(tables.key(random), value(random)))
            .add("fast write", this::fastWrite)
            .add("one-row commit", random -> write(db.transactions(), row(random), random))
            .add(
                "one-row commit at the coordinator",
                random -> write(coordinator.transactions(), row(random), random))
            .add("one-row commit, two phases", r -> write(twoPhase.transactions(), row(r), r))
            .add("one-row commit, Omid", r -> write(tables.omid(), omidRow(r), r))
            .add("read-modify-write", this::readModifyWrite)
            .add(BATCH, random -> raw.put(tables.neighbours(random, FIVE), value(random)))
            .add("five rows of a region", this::writeFive)
            .run(rounds, slice);
    print(
        writes,
        PUT,
        List.of(
            PUT,
            "fast write",
            "one-row commit",
            "one-row commit at the coordinator",
            "one-row commit, two phases",
            "one-row commit, Omid",
            "read-modify-write"));
    print(writes, BATCH, List.of(BATCH, "five rows of a region"));
    report.atMost("one-row commit to raw put", 1.3, writes.ratio("one-row commit", PUT));
    report.atMost("fast write to raw put", 1.2, writes.ratio("fast write", PUT));
    report.atMost(
        "five rows of a region to a raw batch", 1.1, writes.ratio("five rows of a region", BATCH));
  }

  private void print(Latencies figures, String to, List<String> names) {
    for (String name : names) {
      report.figure(
          name,
          Map.of("threads", 1),
          figures.median(name),
          "us, median",
          to,
          figures.ratio(name, to));
    }
  }

  /**
   * Measures throughput. Each figure comes with the processor time of the client and of all
   * servers.
   */
  void throughput(Processors processors, int threads, int rounds, long slice) throws Exception {
    Comparison.Effort effort = new Comparison.Effort(rounds, slice, 2000);
    try (Snapshot at = db.snapshot();
        PlainTransactions single = PlainTransactions.open(cluster, db)) {
      ThreadLocal<Snapshot> singly =
          ThreadLocal.withInitial(() -> single.transactions().snapshotAt(at.timestamp()));
      ThreadLocal<Snapshot> own =
          ThreadLocal.withInitial(() -> db.transactions().snapshotAt(at.timestamp()));
      Comparison.Results reads =
          new Comparison(threads, effort)
              .countedBy(processors::micros)
              .add(GET, random -> raw.get(tables.key(random)))
              .add("snapshot read", random -> present(own.get().get(row(random), COLUMN)))
              .add("fast read", random -> present(fast.read(omidRow(random), COLUMN)))
              .add(
                  "snapshot read" + SINGLY,
                  random -> present(singly.get().get(row(random), COLUMN)))
              .run();
      print(threads, reads, GET);
      Comparison.Results writes =
          new Comparison(threads, effort)
              .countedBy(processors::micros)
              .add(PUT, random -> raw.put(tables.key(random), value(random)))
              .add("fast write", this::fastWrite)
              .add("one-row commit", random -> write(db.transactions(), row(random), random))
              .add(
                  "one-row commit" + SINGLY,
                  random -> write(single.transactions(), row(random), random))
              .run();
      print(threads, writes, PUT);
    }
  }

  private void print(int threads, Comparison.Results results, String to) {
    for (Comparison.Figures each : results.all().values()) {
      double ratio = results.ratio(each.name(), to);
      double cpu = Math.round(1000 * each.cpuRatioTo(results.of(to))) / 1000.0;
      report.figure(
          each.name(),
          Map.of("threads", threads, "cpuRatio", cpu),
          each.median(),
          "1/s",
          to,
          ratio);
      if (!each.name().equals(to) && !each.name().endsWith(SINGLY)) {
        report.atLeast(each.name() + " to " + to + ", " + threads + " threads", 0.75, ratio);
      }
    }
  }

  private Row row(SplittableRandom random) {
    return tables.row(PERCOLATOR, random);
  }

  private Row omidRow(SplittableRandom random) {
    return tables.row(OMID, random);
  }

  private void beginAndRead(SplittableRandom random) {
    try (Snapshot now = db.snapshot()) {
      present(now.get(row(random), COLUMN));
    }
  }

  /** Writes on the fast path. A conflict of two random writers only causes a retry. */
  private void fastWrite(SplittableRandom random) {
    fast.write(omidRow(random), COLUMN, Bytes.wrap(value(random)));
  }

  private static void write(Transactions transactions, Row row, SplittableRandom random) {
    Bytes value = Bytes.wrap(value(random));
    transactions.run(
        tx -> {
          tx.set(row, COLUMN, value);
          return true;
        });
  }

  private void readModifyWrite(SplittableRandom random) {
    Row row = row(random);
    Bytes value = Bytes.wrap(value(random));
    db.run(
        tx -> {
          present(tx.get(row, COLUMN));
          tx.set(row, COLUMN, value);
          return true;
        });
  }

  private void writeFive(SplittableRandom random) {
    try (Transaction tx = db.begin()) {
      Bytes value = Bytes.wrap(value(random));
      tables
          .neighbours(random, FIVE)
          .forEach(key -> tx.set(Row.of(PERCOLATOR, Bytes.wrap(key)), COLUMN, value));
      tx.commit();
    }
  }

  private static void present(Optional<Bytes> value) {
    if (value.isEmpty()) {
      throw new IllegalStateException("A row that was loaded is missing.");
    }
  }
}
