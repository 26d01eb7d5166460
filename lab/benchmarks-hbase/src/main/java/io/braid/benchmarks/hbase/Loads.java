package io.braid.benchmarks.hbase;

import static io.braid.benchmarks.LoadBench.seconds;

import io.braid.Braid;
import io.braid.batch.job.JobReport;
import io.braid.batch.job.LoadOptions;
import io.braid.batch.snapshot.Algorithm;
import io.braid.benchmarks.LoadBench;
import io.braid.benchmarks.Report;
import io.braid.benchmarks.Scratch;
import io.braid.core.data.Bytes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;

/**
 * Loads into a table that two servers keep (Hadoop on PNUTS, section 7, figures 4, 6 and 7). The
 * comparisons are the same records parsed and put in batches by HBase's own client, and sorted into
 * a flat file.
 */
final class Loads {
  private static final int AT_ONCE = 1000;
  private static final String RAW = "put in batches by HBase's client";
  private static final int[] PERCENTS = {2, 10, 100};
  private static final List<Algorithm> BY_FILES =
      List.of(Algorithm.IMPORT_SORT, Algorithm.HADOOP_SORT, Algorithm.VANILLA_SORT);

  private final Report report;
  private final BenchCluster cluster;
  private final Braid db;
  private final int records;
  private final int bytes;

  Loads(Report report, BenchCluster cluster, Braid db, int records, int bytes) {
    this.report = report;
    this.cluster = cluster;
    this.db = db;
    this.records = records;
    this.bytes = bytes;
  }

  void run() throws Exception {
    try (Scratch scratch = Scratch.create();
        RawHBase raw = cluster.raw("loads", middle().toArray())) {
      LoadBench bench = new LoadBench(scratch, db);
      Path whole = bench.write("whole.csv", records, 100, bytes);
      Path warm = bench.write("warm.csv", Math.min(records, 20_000), 100, bytes);
      put(raw, warm);
      for (Algorithm each : all()) {
        bench.load(warm, table(raw, "warm-" + each.text()), LoadOptions.DEFAULT.by(each));
      }
      double flat = seconds(() -> bench.sort(whole, "sorted", true));
      double plain = seconds(() -> put(raw, whole));
      figure(RAW, 100, plain, plain);
      figure("sorted into a flat file, synced", 100, flat, plain);
      double best = firstLoads(bench, raw, whole, plain);
      report.atMost("the fastest load by files beside HBase's own client", 1, best / plain);
      updates(bench, raw);
      scans(bench, raw);
    }
  }

  private static List<Algorithm> all() {
    List<Algorithm> all = new ArrayList<>(BY_FILES);
    all.add(Algorithm.STANDARD);
    return all;
  }

  /** Measures the first loads and returns the seconds of the fastest load by files. */
  private double firstLoads(LoadBench bench, RawHBase raw, Path input, double plain)
      throws Exception {
    double best = Double.MAX_VALUE;
    for (Algorithm each : all()) {
      String table = table(raw, each.text());
      double took = load(bench, input, table, LoadOptions.DEFAULT.by(each));
      figure(each.text(), 100, took, plain);
      best = each == Algorithm.STANDARD ? best : Math.min(best, took);
    }
    String atomic = table(raw, "atomic");
    double took = load(bench, input, atomic, LoadOptions.DEFAULT.atomically());
    figure("standard, atomic", 100, took, plain);
    return best;
  }

  /** Measures updates of a share of the loaded tables. */
  private void updates(LoadBench bench, RawHBase raw) throws Exception {
    for (int percent : PERCENTS) {
      Path input = bench.write("update-" + percent + ".csv", records, percent, bytes);
      double plain = seconds(() -> put(raw, input));
      figure(RAW + ", update", percent, plain, plain);
      for (Algorithm each : all()) {
        double took = load(bench, input, each.text(), LoadOptions.DEFAULT.by(each));
        figure("update by " + each.text(), percent, took, plain);
      }
    }
  }

  private void scans(LoadBench bench, RawHBase raw) throws Exception {
    raw.scan();
    double plain = seconds(raw::scan);
    report.figure("raw scan", params(100), records / plain, "records/s", "raw scan", 1);
    for (Algorithm each : all()) {
      bench.scan(each.text());
      double took = seconds(() -> bench.scan(each.text()));
      report.figure(
          "scanned, loaded by " + each.text(),
          params(100),
          records / took,
          "records/s",
          "raw scan",
          took / plain);
    }
  }

  private static double load(LoadBench bench, Path input, String table, LoadOptions options)
      throws Exception {
    JobReport[] done = new JobReport[1];
    return seconds(() -> done[0] = bench.load(input, table, options));
  }

  /** Creates a table whose halves are on different servers. */
  private String table(RawHBase raw, String name) throws IOException {
    db.dropTable(name);
    db.ensureTable(name, "f");
    db.store().splitTablet(name, middle());
    raw.spread(TableName.valueOf(cluster.space(), name));
    return name;
  }

  private Bytes middle() {
    return Bytes.of(LoadBench.key(records / 2));
  }

  private static void put(RawHBase raw, Path input) throws IOException {
    List<byte[]> keys = new ArrayList<>(AT_ONCE);
    List<byte[]> values = new ArrayList<>(AT_ONCE);
    LoadBench.parse(
        input,
        (mapped, record) -> {
          keys.add(mapped.key().toArray());
          values.add(mapped.values().values().iterator().next().toArray());
          if (keys.size() == AT_ONCE) {
            putAll(raw, keys, values);
          }
        });
    putAll(raw, keys, values);
  }

  private static void putAll(RawHBase raw, List<byte[]> keys, List<byte[]> values)
      throws IOException {
    raw.put(keys, values);
    keys.clear();
    values.clear();
  }

  private void figure(String name, int percent, double took, double plain) {
    report.figure(
        name, params(percent), records * (percent / 100.0) / took, "records/s", RAW, took / plain);
  }

  private Map<String, Object> params(int percent) {
    Map<String, Object> params = new LinkedHashMap<>();
    params.put("records", (int) ((long) records * percent / 100));
    params.put("bytes", bytes);
    params.put("percent", percent);
    return params;
  }
}
