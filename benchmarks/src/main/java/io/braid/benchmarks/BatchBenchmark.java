package io.braid.benchmarks;

import io.braid.Braid;
import io.braid.batch.LoadContext;
import io.braid.batch.export.TableExport;
import io.braid.batch.job.JobReport;
import io.braid.batch.job.JobView;
import io.braid.batch.job.LoadJob;
import io.braid.batch.job.LoadOptions;
import io.braid.batch.mapping.FieldType;
import io.braid.batch.mapping.Mapping;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What a load costs (Hadoop on PNUTS, section 7): beside the same records sorted into a flat file,
 * and beside one transaction for each; and what a scan of the table costs beside reading the file.
 */
@Command(
    name = "batch",
    mixinStandardHelpOptions = true,
    description = "Loads, atomic loads, exports and scans, beside flat files and transactions.")
final class BatchBenchmark implements Callable<Integer> {
  private static final String TABLE = "t";
  private static final Mapping MAPPING = Mapping.ofFamily(List.of("id"), "f");
  private static final Column<String> VALUE = Column.of("f", "v", Codecs.utf8());
  private static final int TRANSACTIONS = 20_000;

  @Option(names = "--records", description = "Records to load (default: ${DEFAULT-VALUE}).")
  int records = 1_000_000;

  @Option(names = "--bytes", description = "Bytes of a value (default: ${DEFAULT-VALUE}).")
  int bytes = 100;

  @Option(names = "--quick", description = "A first look in under a minute.")
  boolean quick;

  @Override
  public Integer call() throws Exception {
    if (quick) {
      records = Math.min(records, 100_000);
    }
    Report report = new Report("batch", System.out);
    try (Scratch scratch = Scratch.create();
        Braid db = Braid.open(scratch.child("db"))) {
      Path input = scratch.child("in.csv");
      write(input);
      double flat = seconds(() -> sort(input, scratch.child("sorted.csv")));
      figure(report, "sorted into a flat file", flat, flat);
      db.ensureTable(TABLE, "f");
      double load = load(db, scratch, input, "load", LoadOptions.DEFAULT);
      figure(report, "load", load, flat);
      db.ensureTable("atomic", "f");
      double atomic =
          load(db, scratch, input, "atomic", "atomic", LoadOptions.DEFAULT.atomically());
      figure(report, "atomic load", atomic, flat);
      double transactions = transactions(db) / TRANSACTIONS * records;
      figure(report, "a transaction for each, one thread", transactions, flat);
      double read = seconds(() -> readLines(input));
      figure(report, "the file read line by line", read, read);
      double scan = seconds(() -> scan(db));
      figure(report, "the table scanned, one thread", scan, read);
      double export = seconds(() -> export(db.loads(), scratch.child("out.csv")));
      figure(report, "the table exported", export, read);
      report.atMost("a load beside a sorted flat file", 8, load / flat);
      report.atLeast("transactions beside a load", 1.5, transactions / load);
      report.atMost("an atomic load beside a load", 3, atomic / load);
    }
    report.end();
    return 0;
  }

  private void figure(Report report, String name, double seconds, double base) {
    Map<String, Object> params = Map.of("records", records, "bytes", bytes);
    report.figure(name, params, records / seconds, "records/s", "the flat file", seconds / base);
  }

  private interface Work {
    void run() throws Exception;
  }

  private static double seconds(Work work) throws Exception {
    long begin = System.nanoTime();
    work.run();
    return (System.nanoTime() - begin) / 1e9;
  }

  /** Records in random order, with all keys different. */
  private void write(Path file) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    int[] order = new int[records];
    for (int i = 0; i < records; i++) {
      int j = random.nextInt(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write("id,v\n");
      for (int i : order) {
        out.write(String.format("k%09d,", i));
        for (int n = 0; n < bytes; n++) {
          out.write('a' + random.nextInt(26));
        }
        out.write('\n');
      }
    }
  }

  private static void sort(Path input, Path output) throws IOException {
    TreeMap<String, String> sorted = new TreeMap<>();
    try (var lines = Files.lines(input)) {
      lines.forEach(line -> sorted.put(line.substring(0, line.indexOf(',')), line));
    }
    try (BufferedWriter out = Files.newBufferedWriter(output)) {
      for (String line : sorted.values()) {
        out.write(line);
        out.write('\n');
      }
    }
  }

  private double load(Braid db, Scratch scratch, Path input, String id, LoadOptions options)
      throws Exception {
    return load(db, scratch, input, id, TABLE, options);
  }

  private double load(
      Braid db, Scratch scratch, Path input, String id, String table, LoadOptions options)
      throws Exception {
    return seconds(
        () -> {
          LoadJob job =
              LoadJob.create(
                  db.loads(), scratch.child("jobs"), id, table, List.of(input), MAPPING, options);
          JobReport report = job.run(JobView.NONE);
          if (report.books().written() != records) {
            throw new IllegalStateException("Not everything was written: " + report);
          }
        });
  }

  private static double transactions(Braid db) throws Exception {
    db.ensureTable("singly", "f");
    Bytes value = Bytes.of("x".repeat(100));
    return seconds(
        () -> {
          for (int i = 0; i < TRANSACTIONS; i++) {
            Row row = Row.of("singly", "k" + i);
            db.run(
                tx -> {
                  tx.set(row, VALUE, value.toUtf8());
                  return 0;
                });
          }
        });
  }

  private static void readLines(Path file) throws IOException {
    try (var lines = Files.lines(file)) {
      if (lines.mapToInt(String::length).sum() == 0) {
        throw new IllegalStateException("The file is empty.");
      }
    }
  }

  private void scan(Braid db) {
    long rows = 0;
    try (Snapshot now = db.snapshot();
        RowCursor cursor = now.scan(Scan.of(TABLE).family("f"))) {
      while (cursor.hasNext()) {
        cursor.next();
        rows++;
      }
    }
    if (rows != records) {
      throw new IllegalStateException("The scan found " + rows + " rows.");
    }
  }

  private static void export(LoadContext context, Path out) throws IOException {
    Mapping columns =
        new Mapping(
            List.of("id"), "/", Map.of("v", new Mapping.Target("f:v", FieldType.TEXT)), null);
    try (Snapshot now = context.transactions().snapshot()) {
      new TableExport(context, TABLE, columns, 4).run(now, out, rows -> {});
    }
  }
}
