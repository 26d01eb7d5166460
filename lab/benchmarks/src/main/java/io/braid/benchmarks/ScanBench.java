package io.braid.benchmarks;

import static io.braid.benchmarks.LoadBench.seconds;

import io.braid.Braid;
import io.braid.batch.input.InputFile;
import io.braid.batch.input.RawRecord;
import io.braid.batch.input.RecordReader;
import io.braid.batch.job.LoadOptions;
import io.braid.batch.mapping.RecordMapper;
import io.braid.batch.mapping.RejectedException;
import io.braid.batch.snapshot.Algorithm;
import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Figure 7: the time to scan a table, by the way it was loaded, relative to parsing the same
 * records from a zstd Avro file. One case has one thread, another as many as there are processors.
 * The file is cut between its blocks, as a load cuts it. The table is cut into ranges of its keys.
 */
final class ScanBench {
  private static final String ZSTD_AVRO = "parsed from zstd Avro";
  private static final String CSV = "parsed from the file";

  /** The tables, by the algorithm that loaded them. */
  private static final Map<Algorithm, String> TABLES =
      new TreeMap<>(
          Map.of(
              Algorithm.STANDARD, "standard",
              Algorithm.IMPORT_SORT, Algorithm.IMPORT_SORT.name(),
              Algorithm.HADOOP_SORT, Algorithm.HADOOP_SORT.name(),
              Algorithm.VANILLA_SORT, Algorithm.VANILLA_SORT.name()));

  private final Report report;
  private final Braid db;
  private final LoadBench bench;
  private final int records;
  private final int bytes;
  private final List<Integer> threads;

  ScanBench(Report report, Braid db, LoadBench bench, int records, int bytes) {
    this.report = report;
    this.db = db;
    this.bench = bench;
    this.records = records;
    this.bytes = bytes;
    int processors = Runtime.getRuntime().availableProcessors();
    this.threads = processors == 1 ? List.of(1) : List.of(1, processors);
  }

  /**
   * @param export the function that writes a table to a file
   */
  void run(Path avro, Export export) throws Exception {
    Path input = bench.write("in.csv", records, 100, bytes);
    LoadBench.parse(input, (mapped, raw) -> {});
    double csv = seconds(() -> LoadBench.parse(input, (mapped, raw) -> {}));
    figure(CSV, 1, csv, CSV, csv);
    bench.load(input, "standard", LoadOptions.DEFAULT);
    export.run("standard", avro);
    Map<Integer, Double> parsed = new TreeMap<>();
    for (int count : threads) {
      List<Callable<Long>> parts = parts(InputFile.of(avro), count);
      inParallel(parts);
      double took = seconds(() -> inParallel(parts));
      parsed.put(count, took);
      figure(ZSTD_AVRO, count, took, CSV, csv);
    }
    for (Algorithm algorithm : TABLES.keySet()) {
      if (algorithm != Algorithm.STANDARD) {
        bench.load(input, algorithm.name(), LoadOptions.DEFAULT.by(algorithm));
      }
    }
    Map<Integer, Double> before = scanAll("", parsed);
    for (String table : TABLES.values()) {
      db.store().reclaim(table, KeyRange.ALL);
    }
    Map<Integer, Double> after = scanAll(", compacted", parsed);
    String goal = "the slowest scan beside parsing the same records from zstd Avro";
    for (int count : threads) {
      String by = count == 1 ? "" : String.format(Locale.ROOT, ", %d threads each", count);
      report.atMost(goal + by, 1.5, before.getOrDefault(count, 0.0));
      report.atMost("the same after a compaction" + by, 1.5, after.getOrDefault(count, 0.0));
    }
  }

  /** Writes a table to a file. */
  interface Export {
    void run(String table, Path out) throws Exception;
  }

  /**
   * Scans each table with each number of threads. Returns the worst ratio to parsing the file, by
   * the number of threads.
   */
  private Map<Integer, Double> scanAll(String suffix, Map<Integer, Double> parsed)
      throws Exception {
    Map<Integer, Double> worst = new TreeMap<>();
    for (var each : TABLES.entrySet()) {
      for (int count : threads) {
        List<Callable<Long>> parts = ranges(each.getValue(), count);
        inParallel(parts);
        double scan = seconds(() -> inParallel(parts));
        double parse = parsed.getOrDefault(count, 0.0);
        String name = "scanned, loaded by " + each.getKey().text() + suffix;
        figure(name, count, scan, ZSTD_AVRO, parse);
        worst.merge(count, scan / parse, Math::max);
      }
    }
    return worst;
  }

  private void figure(String name, int by, double seconds, String vs, double base) {
    Map<String, Object> params = Map.of("records", records, "bytes", bytes, "threads", by);
    report.figure(name, params, records / seconds, "records/s", vs, seconds / base);
  }

  private void inParallel(List<Callable<Long>> parts) throws Exception {
    ExecutorService runners = Executors.newFixedThreadPool(parts.size());
    try {
      long all = 0;
      for (Future<Long> each : runners.invokeAll(parts)) {
        all += each.get();
      }
      if (all != records) {
        throw new IllegalStateException(all + " records were read, not " + records + ".");
      }
    } finally {
      runners.shutdown();
    }
  }

  private List<Callable<Long>> ranges(String table, int count) {
    List<Callable<Long>> ranges = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Bytes from = i == 0 ? Bytes.EMPTY : key(i, count);
      KeyRange range = new KeyRange(from, i == count - 1 ? null : key(i + 1, count));
      ranges.add(() -> scan(table, range));
    }
    return ranges;
  }

  private Bytes key(int part, int of) {
    return Bytes.of(LoadBench.key((int) ((long) records * part / of)));
  }

  private long scan(String table, KeyRange range) {
    long rows = 0;
    try (Snapshot now = db.snapshot();
        RowCursor cursor = now.scan(Scan.of(table).range(range).family("f"))) {
      while (cursor.hasNext()) {
        cursor.next();
        rows++;
      }
    }
    return rows;
  }

  /** Returns parts with about equally many records, which begin at block boundaries. */
  private List<Callable<Long>> parts(InputFile file, int count) throws IOException {
    List<Callable<Long>> parts = new ArrayList<>();
    long from = file.begin();
    long at = from;
    try (RecordReader reader = file.read()) {
      long seen = 0;
      for (RawRecord record = reader.next(); record != null; record = reader.next()) {
        if (seen++ >= (long) records * (parts.size() + 1) / count && reader.cut() > at) {
          parts.add(part(file, from, record.offset(), at));
          from = record.offset();
          at = reader.cut();
        }
      }
    }
    parts.add(part(file, from, Long.MAX_VALUE, at));
    return parts;
  }

  private static Callable<Long> part(InputFile file, long from, long to, long at) {
    return () -> {
      RecordMapper mapper = new RecordMapper(LoadBench.MAPPING, file);
      long read = 0;
      try (RecordReader reader = file.read(from, to, at)) {
        for (RawRecord raw = reader.next(); raw != null; raw = reader.next()) {
          mapper.map(raw);
          read++;
        }
      } catch (RejectedException e) {
        throw new IllegalStateException(e);
      }
      return read;
    };
  }
}
