package io.braid.benchmarks;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.Setting;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.Transaction;
import io.braid.store.rocksdb.RocksStore;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Omid's protocol: the manager alone, the fast path beside the raw store, and the paper's mixes.
 */
@Command(
    name = "omid",
    mixinStandardHelpOptions = true,
    description = {
      "The transaction manager in process and through its socket; the fast path beside raw RocksDB;",
      "transactions of ten operations beside two-phase commit; the mixes of the paper's section 5,",
      "for each of the systems that it compares: legacy, omid-ll, omid-fp, omid-2pc; and the random",
      "mix with a manager that is loaded as by a thousand nodes, and a store as of three."
    })
final class OmidBenchmark implements Callable<Integer> {
  private static final Column<Bytes> COLUMN = Column.of("f", "q", Codecs.bytes());
  private static final String TABLE = "rows";

  /** The parts that can be run separately. */
  enum Part {
    manager,
    socket,
    fast,
    ten,
    mix,
    scale
  }

  @Option(names = "--rows", description = "Rows in a table (default: ${DEFAULT-VALUE}).")
  int rows = 300_000;

  @Option(names = "--rounds", description = "Counted rounds (default: ${DEFAULT-VALUE}).")
  int rounds = 41;

  @Option(names = "--slice", description = "Milliseconds of a case in a round.")
  long slice = 50;

  @Option(names = "--turn", description = "Milliseconds of a system in a turn of the mixes.")
  long turn = 150;

  @Option(
      names = "--warm-up",
      description = "Milliseconds of a case before anything counts (default: 2000; 500 if quick).")
  long warmUp;

  @Option(names = "--quick", description = "A first look in about two minutes.")
  boolean quick;

  @Option(
      names = "--only",
      split = ",",
      description = "Parts to run: ${COMPLETION-CANDIDATES} (default: all).")
  Set<Part> only = EnumSet.allOf(Part.class);

  @Option(
      names = "--variants",
      split = ",",
      description = "Systems that run the mixes: ${COMPLETION-CANDIDATES} (default: all).")
  Set<OmidVariant.Word> variants = EnumSet.allOf(OmidVariant.Word.class);

  @Option(
      names = "--background",
      description =
          "Transactions a second that the manager is asked for beside the mixes, as other nodes"
              + " would (default: ${DEFAULT-VALUE}).")
  long background = 20_000;

  private final Report report = new Report("omid", System.out);

  @Override
  public Integer call() throws Exception {
    if (quick) {
      rows = Math.min(rows, 50_000);
      rounds = 9;
      slice = 40;
    }
    if (only.contains(Part.manager)) {
      new TransactionManagerBenchmark().run(report, Math.min(rounds, quick ? 3 : 9), 10 * slice);
    }
    if (only.contains(Part.socket)) {
      new ManagerSocket(report, (quick ? 25 : 80) * slice, 10_000_000).run();
    }
    if (only.contains(Part.fast)) {
      fast();
    }
    if (only.contains(Part.ten)) {
      ten();
    }
    OmidMixes mixes =
        new OmidMixes(
            report,
            rows,
            variants,
            (word, scratch) -> OmidVariant.in(scratch.child(word.name()), word, 1 << 20),
            quick,
            turn);
    if (only.contains(Part.mix)) {
      mixes.run(false, background);
      mixes.run(true, background);
    }
    if (only.contains(Part.scale)) {
      mixes.scale();
    }
    report.end();
    return 0;
  }

  /**
   * Compares singletons, which do not contact the manager (section 4). Each compared system has a
   * store of its own: the background work of a store outlasts the system's turn.
   */
  private void fast() throws Exception {
    try (Scratch scratch = Scratch.create();
        RawRocks raw = RawRocks.plain(scratch.child("raw"), storeMemory());
        Braid fast = open(scratch, "fast", BraidConfig.defaults(), Protocol.OMID);
        Braid regular = open(scratch, "regular", BraidConfig.defaults(), Protocol.OMID)) {
      SplittableRandom random = new SplittableRandom(1);
      for (int i = 0; i < rows; i++) {
        raw.put(key(i), value(random));
      }
      raw.compact();
      fastReads(raw, fast.fast(), regular);
      fastWrites(raw, fast.fast(), regular);
    }
  }

  private void fastReads(RawRocks raw, FastSession session, Braid regular) throws Exception {
    for (int threads : List.of(1, 2)) {
      Comparison.Results reads =
          comparison(threads)
              .add("raw get", random -> raw.get(key(random.nextInt(rows))))
              .add("fast read", random -> session.read(any(random), COLUMN))
              .add(
                  "regular read",
                  random -> {
                    try (Transaction tx = regular.begin()) {
                      tx.get(any(random), COLUMN);
                    }
                  })
              .run();
      print(threads, reads, "raw get", "reads/s");
      report.atLeast(
          "fast read to raw get, " + threads + " threads",
          0.9,
          reads.ratio("fast read", "raw get"));
    }
  }

  private void fastWrites(RawRocks raw, FastSession session, Braid regular) throws Exception {
    for (int threads : List.of(1, 2)) {
      Comparison.Results writes =
          comparison(threads)
              .add("raw put", random -> raw.put(key(random.nextInt(rows)), value(random)))
              .add("fast write", random -> write(session, any(random), Bytes.wrap(value(random))))
              .add(
                  "regular write",
                  random ->
                      regular.run(
                          tx -> {
                            tx.set(any(random), COLUMN, Bytes.wrap(value(random)));
                            return 0;
                          }))
              .run();
      print(threads, writes, "raw put", "writes/s");
      report.atLeast(
          "fast write to raw put, " + threads + " threads",
          0.85,
          writes.ratio("fast write", "raw put"));
    }
  }

  /** Writes a row. Retries while another thread's write of the row is unfinished. */
  private static void write(FastSession session, Row row, Bytes value) {
    while (true) {
      try {
        session.write(row, COLUMN, value);
        return;
      } catch (ConflictException e) {
        Thread.yield();
      }
    }
  }

  /**
   * Measures transactions of five reads and five writes of random keys. One case has two-phase
   * commit, exactly as the paper's Omid LL. The other commits in one phase, as a database in one
   * process does.
   */
  private void ten() throws Exception {
    BraidConfig twoPhase = BraidConfig.defaults().with(Setting.ONE_PHASE, "off");
    try (Scratch scratch = Scratch.create();
        Braid percolator = open(scratch, "twopc", twoPhase, Protocol.PERCOLATOR);
        Braid lowLatency = open(scratch, "omid-ll", twoPhase, Protocol.OMID);
        Braid omid = open(scratch, "omid", BraidConfig.defaults(), Protocol.OMID)) {
      for (int threads : List.of(1, 2)) {
        Comparison.Results figures =
            comparison(threads)
                .slow()
                .add("ten operations, omid-2pc", random -> ten(percolator, random))
                .add("ten operations, omid-ll", random -> ten(lowLatency, random))
                .add("ten operations, omid", random -> ten(omid, random))
                .run();
        print(threads, figures, "ten operations, omid-2pc", "transactions/s");
        report.atLeast(
            "ten operations, omid to omid-2pc, " + threads + " threads",
            1.5,
            figures.ratio("ten operations, omid", "ten operations, omid-2pc"));
      }
    }
  }

  private void ten(Braid db, SplittableRandom random) {
    db.run(
        tx -> {
          for (int i = 0; i < 5; i++) {
            tx.get(any(random), COLUMN);
            tx.set(any(random), COLUMN, Bytes.wrap(value(random)));
          }
          return 0;
        });
  }

  /** Opens a database with all the rows, compacted. */
  private Braid open(Scratch scratch, String name, BraidConfig config, Protocol protocol)
      throws Exception {
    Braid db = Braid.open(scratch.child(name), config);
    db.ensureTable(TABLE, protocol, "f");
    SplittableRandom random = new SplittableRandom(1);
    for (int from = 0; from < rows; from += 1000) {
      int first = from;
      db.run(
          tx -> {
            for (int i = first; i < Math.min(rows, first + 1000); i++) {
              tx.set(row(i), COLUMN, Bytes.wrap(value(random)));
            }
            return 0;
          });
    }
    ((RocksStore) db.store()).compact();
    return db;
  }

  private static long storeMemory() {
    return BraidConfig.defaults().get(Setting.STORE_MEMORY);
  }

  private long warmUp() {
    return warmUp > 0 ? warmUp : quick ? 500 : 2000;
  }

  private Comparison comparison(int threads) {
    return new Comparison(threads, new Comparison.Effort(rounds, slice, warmUp()));
  }

  private void print(int threads, Comparison.Results figures, String vs, String unit) {
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

  private Row any(SplittableRandom random) {
    return row(random.nextInt(rows));
  }

  private static Row row(int i) {
    return Row.of(TABLE, Bytes.wrap(key(i)));
  }

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
