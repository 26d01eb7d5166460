package io.braid.benchmarks;

import static io.braid.benchmarks.LoadBench.seconds;

import io.braid.Braid;
import io.braid.batch.export.TableExport;
import io.braid.batch.job.JobReport;
import io.braid.batch.job.LoadOptions;
import io.braid.batch.mapping.FieldType;
import io.braid.batch.mapping.Mapping;
import io.braid.batch.snapshot.Algorithm;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.SortedFileWriter;
import io.braid.core.transaction.Snapshot;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The cost of a load (Hadoop on PNUTS, section 7), by procedures and by snapshots, relative to
 * sorting the same records into a flat file. The benchmark varies the size of the records and the
 * updated share of the table (figures 4 to 6). It also compares a scan with parsing a file (figure
 * 7), and measures the effect of a load on other clients (figures 8 to 11).
 */
@Command(
    name = "batch",
    mixinStandardHelpOptions = true,
    description = "Loads, snapshot loads, scans, and reads beside loads; beside flat files.")
final class BatchBenchmark implements Callable<Integer> {
  private static final Column<String> VALUE = Column.of("f", "v", Codecs.utf8());
  private static final int MOST_TRANSACTIONS = 20_000;
  private static final int MOST_TRIES = 6;
  private static final double LITTLE = 0.05;
  private static final List<Algorithm> SNAPSHOTS =
      List.of(Algorithm.IMPORT_SORT, Algorithm.HADOOP_SORT, Algorithm.VANILLA_SORT);

  private static final String FLAT = "sorted into a flat file";

  @Option(names = "--records", description = "Records to load (default: ${DEFAULT-VALUE}).")
  int records = 1_000_000;

  @Option(names = "--bytes", description = "Bytes of a value (default: ${DEFAULT-VALUE}).")
  int bytes = 100;

  @Option(
      names = "--part",
      split = ",",
      description = "paths, sizes, updates, scans, kept, serving, ycsb (default: all).")
  List<String> parts = List.of("paths", "sizes", "updates", "scans", "kept", "serving", "ycsb");

  /** The share of a core that other processes used in the most disturbed run that counts. */
  private double mostOthers;

  @Option(names = "--quick", description = "A first look.")
  boolean quick;

  @Override
  public Integer call() throws Exception {
    if (quick) {
      records = Math.min(records, 200_000);
    }
    Report report = new Report("batch", System.out);
    for (String part : parts) {
      try (Scratch scratch = Scratch.create();
          Braid db = Braid.open(scratch.child("db"))) {
        LoadBench bench = new LoadBench(scratch, db);
        switch (part) {
          case "paths" -> paths(report, scratch, db, bench);
          case "sizes" -> sizes(report, bench);
          case "updates" -> updates(report, bench);
          case "scans" ->
              new ScanBench(report, db, bench, records, bytes)
                  .run(scratch.child("out.avro"), (table, out) -> export(db, out, table));
          case "kept" -> new KeptBench(report, db, bench).run(records, bytes);
          case "serving" -> serving(report, scratch, db, bench);
          case "ycsb" -> new YcsbBesideLoads(report, scratch, db, bench).run(records, bytes, quick);
          default -> throw new IllegalArgumentException("There is no part " + part + ".");
        }
      }
    }
    report.end();
    return 0;
  }

  /** Returns the number of transactions that is enough to measure the time of one. */
  private int transactionCount() {
    return Math.min(MOST_TRANSACTIONS, records);
  }

  private void figure(
      Report report, String name, int count, int size, double seconds, String vs, double base) {
    Map<String, Object> params = Map.of("records", count, "bytes", size);
    report.figure(name, params, count / seconds, "records/s", vs, seconds / base);
  }

  private static LoadOptions by(Algorithm algorithm) {
    return LoadOptions.DEFAULT.by(algorithm);
  }

  private void paths(Report report, Scratch scratch, Braid db, LoadBench bench) throws Exception {
    Path input = bench.write("in.csv", records, 100, bytes);
    double flat = flat(report, bench, input, records, bytes);
    String vs = FLAT;
    bench.load(bench.write("warm.csv", 50_000, 100, bytes), "warm", by(Algorithm.HADOOP_SORT));
    double best = Double.MAX_VALUE;
    for (Algorithm algorithm : SNAPSHOTS) {
      JobReport[] done = new JobReport[1];
      bench.table(algorithm.name());
      double took = seconds(() -> done[0] = bench.load(input, algorithm.name(), by(algorithm)));
      Map<String, Object> params = new HashMap<>(Map.of("records", records, "bytes", bytes));
      done[0]
          .imports()
          .ifPresent(
              imports -> {
                params.put("imports", imports.imports());
                params.put("first_import_ms", imports.firstImportMillis());
                params.put("longest_pause_ms", imports.longestPauseMillis());
              });
      report.figure(algorithm.text(), params, records / took, "records/s", vs, took / flat);
      best = Math.min(best, took);
    }
    bench.table("standard");
    bench.table("atomic");
    double load = seconds(() -> bench.load(input, "standard", LoadOptions.DEFAULT));
    figure(report, "standard", records, bytes, load, vs, flat);
    double atomic = seconds(() -> bench.load(input, "atomic", LoadOptions.DEFAULT.atomically()));
    figure(report, "standard, atomic", records, bytes, atomic, vs, flat);
    double transactions = transactions(db) / transactionCount() * records;
    figure(report, "a transaction for each, one thread", records, bytes, transactions, vs, flat);
    double export = seconds(() -> export(db, scratch.child("out.csv"), "standard"));
    figure(report, "the table exported", records, bytes, export, vs, flat);
    report.atMost("the fastest snapshot load beside a sorted flat file", 1.3, best / flat);
    report.atMost("a standard load beside a sorted flat file", 8, load / flat);
    report.atMost("an atomic load beside a standard load", 3, atomic / load);
  }

  /** Measures figure 5: the total size of all records stays the same. */
  private void sizes(Report report, LoadBench bench) throws Exception {
    long total = (long) records * bytes;
    for (int size : new int[] {100, 1000, 10_000}) {
      int count = (int) Math.max(1000, total / size);
      Path input = bench.write("in-" + size, count, 100, size);
      Path csv = input.resolveSibling("in-" + size + ".csv");
      java.nio.file.Files.move(input, csv);
      double flat = flat(report, bench, csv, count, size);
      for (Algorithm algorithm : SNAPSHOTS) {
        bench.table(algorithm.name() + size);
        double took = seconds(() -> bench.load(csv, algorithm.name() + size, by(algorithm)));
        figure(report, algorithm.text(), count, size, took, FLAT, flat);
      }
    }
  }

  /**
   * Measures the baseline of the loads, sorting into a flat file, and the same with the file synced
   * to the disk at the end. Returns the seconds without syncing.
   */
  private double flat(Report report, LoadBench bench, Path input, int count, int size)
      throws Exception {
    bench.sort(input, "warm", false);
    double flat = seconds(() -> bench.sort(input, "sorted", false));
    figure(report, FLAT, count, size, flat, FLAT, flat);
    double synced = seconds(() -> bench.sort(input, "sorted", true));
    figure(report, FLAT + ", synced", count, size, synced, FLAT, flat);
    return flat;
  }

  /** Measures figure 6: loads that update a share of a full table. */
  private void updates(Report report, LoadBench bench) throws Exception {
    List<Algorithm> all = new ArrayList<>(SNAPSHOTS);
    all.add(Algorithm.STANDARD);
    Path whole = bench.write("whole.csv", records, 100, bytes);
    for (Algorithm algorithm : all) {
      bench.load(whole, algorithm.name(), by(Algorithm.HADOOP_SORT));
    }
    for (int percent : new int[] {2, 10, 50, 100}) {
      Path input = bench.write("update-" + percent + ".csv", records, percent, bytes);
      int count = (int) ((long) records * percent / 100);
      Map<Algorithm, Double> took = new HashMap<>();
      for (Algorithm algorithm : all) {
        took.put(algorithm, seconds(() -> bench.load(input, algorithm.name(), by(algorithm))));
      }
      double standard = took.getOrDefault(Algorithm.STANDARD, 0.0);
      for (Algorithm algorithm : all) {
        Map<String, Object> params = Map.of("records", count, "bytes", bytes, "percent", percent);
        double seconds = took.getOrDefault(algorithm, 0.0);
        report.figure(
            "update by " + algorithm.text(),
            params,
            count / seconds,
            "records/s",
            "update by standard",
            seconds / standard);
      }
    }
  }

  /** Measures figures 8 to 11: reads at half of the maximum rate, with and without other work. */
  private void serving(Report report, Scratch scratch, Braid db, LoadBench bench) throws Exception {
    double time = quick ? 2 : 5;
    int rounds = quick ? 3 : 5;
    Path served = bench.write("served.csv", records, 100, bytes);
    bench.load(served, "served", by(Algorithm.HADOOP_SORT));
    Path update = bench.write("update.csv", records, 10, bytes);
    ServingLatency reads = new ServingLatency(db, "served", records, time / 2);
    reads.run(time, rounds);
    List<double[]> alone = new ArrayList<>();
    List<double[]> imports = new ArrayList<>();
    List<double[]> loads = new ArrayList<>();
    List<double[]> standard = new ArrayList<>();
    for (int n = 0; n < rounds; n++) {
      int seed = n;
      alone.add(undisturbed(reads, () -> reads.run(time, seed)));
      imports.add(undisturbed(reads, () -> besideImport(reads, db, scratch, time, seed)));
      alone.add(undisturbed(reads, () -> reads.run(time, seed)));
      loads.add(
          reads.runBeside(time, n, () -> bench.load(update, "served", by(Algorithm.VANILLA_SORT))));
      alone.add(reads.run(time, n));
      standard.add(
          reads.runBeside(time, n, () -> bench.load(update, "served", by(Algorithm.STANDARD))));
    }
    double p99 = median(alone, 0.99);
    serving(report, "undisturbed", alone, reads, p99);
    serving(report, "beside an import of files built beforehand", imports, reads, p99);
    serving(report, "beside a whole vanilla-sort load", loads, reads, p99);
    serving(report, "beside a standard load", standard, reads, p99);
    report.atMost(
        "99th percentile of reads beside an import to undisturbed ones",
        1.3,
        median(imports, 0.99) / p99);
  }

  /**
   * Repeats a run until other processes use little of the processors. After some tries, returns the
   * least disturbed run.
   */
  private double[] undisturbed(ServingLatency reads, Callable<double[]> run) throws Exception {
    double[] least = run.call();
    double others = reads.others();
    for (int n = 1; n < MOST_TRIES && others > LITTLE; n++) {
      double[] again = run.call();
      if (reads.others() < others) {
        least = again;
        others = reads.others();
      }
    }
    mostOthers = Math.max(mostOthers, others);
    return least;
  }

  private double[] besideImport(
      ServingLatency reads, Braid db, Scratch scratch, double time, int seed) throws Exception {
    CellStore store = db.loads().store();
    long version = db.oracle().next();
    List<Path> files = built(store, scratch, version);
    return reads.runBeside(
        time, seed, () -> bringIn(db, store, version, files, (long) (time * 1e9)));
  }

  private void serving(
      Report report, String name, List<double[]> runs, ServingLatency reads, double p99) {
    Map<String, Object> params =
        Map.of(
            "reads_per_second",
            Math.round(reads.perSecond()),
            "median_us",
            median(runs, 0.5),
            "p999_us",
            median(runs, 0.999),
            "others_percent",
            Math.round(mostOthers * 100));
    double mine = median(runs, 0.99);
    report.figure("reads " + name, params, mine, "us", "undisturbed", mine / p99);
  }

  /** Returns the median over the runs of a percentile of each run. */
  private static double median(List<double[]> runs, double percentile) {
    double[] each =
        runs.stream().mapToDouble(run -> run[(int) (run.length * percentile)]).sorted().toArray();
    return each[each.length / 2];
  }

  /** Writes sorted files with a tenth of the table, in ten pieces, ready to be ingested. */
  private List<Path> built(CellStore store, Scratch scratch, long version) {
    List<Path> files = new ArrayList<>();
    int pieces = 10;
    for (int piece = 0; piece < pieces; piece++) {
      Path file = scratch.child("built-" + version + "-" + piece);
      try (SortedFileWriter writer = store.sortedFile("served", "f", file)) {
        int from = (int) ((long) records * piece / pieces);
        int to = (int) ((long) records * (piece + 1) / pieces);
        Bytes value = Bytes.of("\u0001\u0000" + "u".repeat(bytes));
        for (int i = from; i < to; i += 10) {
          writer.put(Bytes.of(LoadBench.key(i)), VALUE.name().qualifier(), version, value);
        }
        writer.finish();
      }
      files.add(file);
    }
    return files;
  }

  /** Ingests the files, spread over the time that the reads take. */
  private static void bringIn(
      Braid db, CellStore store, long version, List<Path> files, long nanos) {
    store.veil("served", version, false);
    for (Path file : files) {
      store.ingest("served", "f", List.of(file));
      java.util.concurrent.locks.LockSupport.parkNanos(nanos / (files.size() + 2));
    }
    store.lift(
        "served", version, db.oracle().next(), store.epoch("served"), "~intent", (row, v) -> false);
  }

  private double transactions(Braid db) throws Exception {
    db.ensureTable("singly", "f");
    return seconds(
        () -> {
          for (int i = 0; i < transactionCount(); i++) {
            Row row = Row.of("singly", "k" + i);
            db.run(
                tx -> {
                  tx.set(row, VALUE, "x".repeat(100));
                  return 0;
                });
          }
        });
  }

  private static void export(Braid db, Path out, String table) throws Exception {
    Mapping columns =
        new Mapping(
            List.of("id"), "/", Map.of("v", new Mapping.Target("f:v", FieldType.TEXT)), null);
    try (Snapshot now = db.snapshot()) {
      new TableExport(db.loads(), table, columns, 4).run(now, out, rows -> {});
    }
  }
}
