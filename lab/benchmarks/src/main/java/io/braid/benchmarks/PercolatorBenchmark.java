package io.braid.benchmarks;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.Setting;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.store.rocksdb.RocksStore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.rocksdb.RocksDBException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The counterpart of figure 8 of the Percolator paper: the cost of transactions relative to the raw
 * store and to RocksDB's own optimistic transactions.
 */
@Command(
    name = "percolator",
    mixinStandardHelpOptions = true,
    description = "Reads, writes, scans and synced commits beside raw RocksDB.")
final class PercolatorBenchmark implements Callable<Integer> {
  private static final String TABLE = "rows";
  private static final Column<Bytes> COLUMN = Column.of("f", "q", Codecs.bytes());
  private static final int SCAN_ROWS = 1000;

  @Option(names = "--rows", description = "Rows of 16-byte keys and 100-byte values.")
  int rows = 1_000_000;

  @Option(names = "--rounds", description = "Counted rounds (default: ${DEFAULT-VALUE}).")
  int rounds = 101;

  @Option(names = "--slice", description = "Milliseconds of a case in a round.")
  long slice = 50;

  @Option(
      names = "--warm-up",
      description = "Milliseconds of a case before anything counts (default: 2000; 500 if quick).")
  long warmUp;

  @Option(names = "--quick", description = "A first look in under a minute.")
  boolean quick;

  @Option(
      names = "--only",
      split = ",",
      description = "Parts to run: ${COMPLETION-CANDIDATES} (default: all).")
  Set<Part> only = EnumSet.allOf(Part.class);

  /** The parts that can be run separately. */
  enum Part {
    reads,
    scans,
    writes,
    synced
  }

  @Override
  public Integer call() throws Exception {
    if (quick) {
      rows = Math.min(rows, 100_000);
      rounds = 11;
      slice = 40;
    }
    Report report = new Report("percolator", System.out);
    try (Scratch scratch = Scratch.create()) {
      if (!only.equals(Set.of(Part.synced))) {
        compare(scratch, report);
      }
      if (only.contains(Part.synced)) {
        syncedCommits(scratch, report);
      }
    }
    report.end();
    return 0;
  }

  private void compare(Scratch scratch, Report report) throws Exception {
    long memory = BraidConfig.defaults().get(Setting.STORE_MEMORY);
    try (RawRocks raw = RawRocks.plain(scratch.child("raw"), memory);
        RawRocks peer = RawRocks.transactional(scratch.child("peer"), memory);
        Braid db = Braid.open(scratch.child("braid"));
        Braid twoPhase =
            Braid.open(
                scratch.child("two-phase"),
                BraidConfig.defaults().with(Setting.ONE_PHASE, "off"))) {
      load(raw, peer, db, twoPhase);
      for (int threads : List.of(1, 2)) {
        if (only.contains(Part.reads)) {
          reads(report, threads, raw, db);
        }
        if (only.contains(Part.scans)) {
          scans(report, threads, raw, db);
        }
      }
      for (int threads : List.of(1, 2)) {
        if (only.contains(Part.writes)) {
          writes(report, threads, raw, peer, db, twoPhase);
        }
      }
    }
  }

  private void reads(Report report, int threads, RawRocks raw, Braid db) throws Exception {
    try (Snapshot snapshot = db.snapshot()) {
      List<Snapshot> snapshots = new ArrayList<>();
      ThreadLocal<Snapshot> own =
          ThreadLocal.withInitial(
              () -> {
                Snapshot mine = db.transactions().snapshotAt(snapshot.timestamp());
                synchronized (snapshots) {
                  snapshots.add(mine);
                }
                return mine;
              });
      Comparison.Results figures =
          comparison(threads)
              .add("raw get", random -> raw.get(key(random)))
              .add("snapshot read", random -> present(own.get().get(row(random), COLUMN)))
              .add(
                  "begin and read",
                  random -> {
                    try (Snapshot now = db.snapshot()) {
                      present(now.get(row(random), COLUMN));
                    }
                  })
              .run();
      print(report, threads, figures, "raw get", "reads/s");
      report.atLeast(
          "snapshot read to raw get, " + threads + " threads",
          0.85,
          figures.ratio("snapshot read", "raw get"));
      snapshots.forEach(Snapshot::close);
    }
  }

  private void scans(Report report, int threads, RawRocks raw, Braid db) throws Exception {
    Comparison.Results figures =
        comparison(threads)
            .slow()
            .add("raw iterator, 1000 rows", random -> raw.scan(key(random), SCAN_ROWS))
            .add("scan, 1000 rows", random -> scan(db, key(random)))
            .run();
    print(report, threads, figures, "raw iterator, 1000 rows", "scans/s");
    report.atLeast(
        "scan to raw iterator, " + threads + " threads",
        0.7,
        figures.ratio("scan, 1000 rows", "raw iterator, 1000 rows"));
  }

  private static long scan(Braid db, byte[] from) {
    long bytes = 0;
    try (Snapshot now = db.snapshot();
        RowCursor cursor =
            now.scan(
                Scan.of(TABLE)
                    .family("f")
                    .range(new KeyRange(Bytes.wrap(from), null))
                    .limit(SCAN_ROWS))) {
      while (cursor.hasNext()) {
        bytes += cursor.next().values().size();
      }
    }
    return bytes;
  }

  private void writes(
      Report report, int threads, RawRocks raw, RawRocks peer, Braid db, Braid twoPhase)
      throws Exception {
    Comparison.Results figures =
        comparison(threads)
            .add("raw put", random -> raw.put(key(random), value(random)))
            .add("OptimisticTransactionDB put", r -> peer.commitPut(key(r), value(r)))
            .add("one-cell transaction", random -> write(db, random))
            .add("one-cell transaction, two phases", random -> write(twoPhase, random))
            .add(
                "OptimisticTransactionDB read-modify-write",
                r -> peer.commitReadModifyWrite(key(r), value(r)))
            .add("read-modify-write", random -> readModifyWrite(db, random))
            .run();
    print(report, threads, figures, "raw put", "writes/s");
    report.atLeast(
        "one-cell transaction to raw put, " + threads + " threads",
        0.6,
        figures.ratio("one-cell transaction", "raw put"));
    report.atLeast(
        "one-cell transaction to OptimisticTransactionDB, " + threads + " threads",
        1.0,
        figures.ratio("one-cell transaction", "OptimisticTransactionDB put"));
    report.atLeast(
        "read-modify-write to OptimisticTransactionDB, " + threads + " threads",
        1.0,
        figures.ratio("read-modify-write", "OptimisticTransactionDB read-modify-write"));
  }

  private void syncedCommits(Scratch scratch, Report report) throws Exception {
    BraidConfig config = BraidConfig.defaults().with(Setting.DURABILITY, "synced");
    try (Braid db = Braid.open(scratch.child("synced"), config)) {
      db.ensureTable(TABLE, "f");
      Comparison.Effort effort =
          new Comparison.Effort(Math.min(rounds, quick ? 5 : 15), 10 * slice, warmUp());
      Comparison.Results figures =
          new Comparison(1, effort)
              .slow()
              .add("1", random -> write(db, random))
              .add("64", 64, random -> write(db, random))
              .run();
      Comparison.Figures one = figures.of("1");
      Comparison.Figures many = figures.of("64");
      double ratio = many.ratioTo(one);
      report.figure(
          "synced commits", Map.of("clients", 1), one.median(), "commits/s", "1 client", 1);
      report.figure(
          "synced commits", Map.of("clients", 64), many.median(), "commits/s", "1 client", ratio);
      report.atLeast("synced commits, 64 clients to one", 20, ratio);
    }
  }

  private void write(Braid db, SplittableRandom random) {
    Row row = row(random);
    Bytes value = Bytes.wrap(value(random));
    db.run(
        tx -> {
          tx.set(row, COLUMN, value);
          return true;
        });
  }

  private void readModifyWrite(Braid db, SplittableRandom random) {
    Row row = row(random);
    Bytes value = Bytes.wrap(value(random));
    db.run(
        tx -> {
          present(tx.get(row, COLUMN));
          tx.set(row, COLUMN, value);
          return true;
        });
  }

  private void load(RawRocks raw, RawRocks peer, Braid db, Braid twoPhase) throws RocksDBException {
    SplittableRandom random = new SplittableRandom(1);
    for (Braid target : List.of(db, twoPhase)) {
      target.ensureTable(TABLE, "f");
      for (int i = 0; i < rows; ) {
        try (Transaction tx = target.begin()) {
          for (int end = Math.min(rows, i + 1000); i < end; i++) {
            tx.set(Row.of(TABLE, Bytes.wrap(key(i))), COLUMN, Bytes.wrap(value(random)));
          }
          tx.commit();
        }
      }
    }
    for (int i = 0; i < rows; i++) {
      raw.put(key(i), value(random));
      peer.put(key(i), value(random));
    }
    raw.compact();
    peer.compact();
    compact(db);
    compact(twoPhase);
  }

  private static void compact(Braid db) {
    ((RocksStore) db.store()).compact();
  }

  private long warmUp() {
    return warmUp > 0 ? warmUp : quick ? 500 : 2000;
  }

  private Comparison comparison(int threads) {
    return new Comparison(threads, new Comparison.Effort(rounds, slice, warmUp()));
  }

  private static void print(
      Report report, int threads, Comparison.Results figures, String vs, String unit) {
    Comparison.Figures base = figures.of(vs);
    figures
        .all()
        .forEach(
            (name, f) -> {
              Map<String, Object> params = new LinkedHashMap<>();
              params.put("threads", threads);
              params.put("cpuRatio", Math.round(1000 * f.cpuRatioTo(base)) / 1000.0);
              report.figure(name, params, f.median(), unit, vs, f.ratioTo(base));
            });
  }

  private static void present(Optional<Bytes> value) {
    if (value.isEmpty()) {
      throw new IllegalStateException("A row that was loaded is missing.");
    }
  }

  private Row row(SplittableRandom random) {
    return Row.of(TABLE, Bytes.wrap(key(random)));
  }

  private byte[] key(SplittableRandom random) {
    return key(random.nextInt(rows));
  }

  /** Returns a key of sixteen bytes, spread over the key space. */
  private static byte[] key(int i) {
    long mixed = (i + 1) * 0x9E3779B97F4A7C15L;
    return ByteBuffer.allocate(16).putLong(mixed).putLong(mixed * 0xBF58476D1CE4E5B9L).array();
  }

  private static byte[] value(SplittableRandom random) {
    byte[] value = new byte[100];
    random.nextBytes(value);
    return value;
  }
}
