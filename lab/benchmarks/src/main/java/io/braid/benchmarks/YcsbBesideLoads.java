package io.braid.benchmarks;

import io.braid.Braid;
import io.braid.batch.job.JobReport;
import io.braid.batch.job.LoadOptions;
import io.braid.batch.snapshot.Algorithm;
import io.braid.benchmarks.ycsb.YcsbTraffic;
import io.braid.core.data.Bytes;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;

/**
 * Figures 8 to 11 of Hadoop on PNUTS: YCSB's workloads C (reads) and A (half of them updates) at
 * rising target rates. The workloads run alone and beside loads of a tenth of the table. The loads
 * are by snapshot files, by the standard path, and by the standard path at a target rate of its
 * own. A figure has the mean latency of an operation (figures 9 and 11) and the duration of the
 * load (8 and 10).
 */
final class YcsbBesideLoads {
  private static final String TABLE = "usertable";
  private static final int THREADS = 4;
  private static final int SHARE = 10;
  private static final Map<String, Double> WORKLOADS = Map.of("C", 1.0, "A", 0.5);

  private final Report report;
  private final Scratch scratch;
  private final Braid db;
  private final LoadBench bench;

  YcsbBesideLoads(Report report, Scratch scratch, Braid db, LoadBench bench) {
    this.report = report;
    this.scratch = scratch;
    this.db = db;
    this.bench = bench;
  }

  void run(int records, int bytes, boolean quick) throws Exception {
    double seconds = quick ? 1 : 5;
    double[] shares = quick ? new double[] {0.25, 0.5} : new double[] {0.25, 0.5, 0.75};
    bench.load(write("ycsb.csv", records, 1, bytes), TABLE, by(Algorithm.HADOOP_SORT));
    Path update = write("ycsb-update.csv", records, SHARE, bytes);
    Map<String, LoadOptions> loads = new LinkedHashMap<>();
    loads.put("vanilla-sort", by(Algorithm.VANILLA_SORT));
    loads.put("standard", LoadOptions.DEFAULT);
    // The load takes four times as long as the clients are served alone.
    long throttle = Math.max(1, (long) (records / SHARE / (4 * seconds)));
    loads.put("standard, throttled", LoadOptions.DEFAULT.at(throttle + "/s"));
    try (YcsbTraffic traffic = new YcsbTraffic(db, TABLE, records, THREADS)) {
      for (String workload : new String[] {"C", "A"}) {
        double reads = WORKLOADS.getOrDefault(workload, 1.0);
        traffic.run(reads, 0, seconds, () -> 0);
        double most = traffic.run(reads, 0, seconds, () -> 0).perSecond();
        for (double share : shares) {
          String alone = "workload " + workload + " alone";
          double target = most * share;
          YcsbTraffic.Result base = traffic.run(reads, target, seconds, () -> 0);
          figure(alone, workload, target, base, base, alone);
          for (Map.Entry<String, LoadOptions> each : loads.entrySet()) {
            Callable<JobReport> load = () -> bench.load(update, TABLE, each.getValue());
            YcsbTraffic.Result beside = traffic.run(reads, target, 0, load);
            String name = "workload " + workload + " beside " + each.getKey();
            figure(name, workload, target, beside, base, alone);
          }
        }
      }
    }
  }

  private static LoadOptions by(Algorithm algorithm) {
    return LoadOptions.DEFAULT.by(algorithm);
  }

  private void figure(
      String name,
      String workload,
      double target,
      YcsbTraffic.Result result,
      YcsbTraffic.Result base,
      String vs) {
    Map<String, Object> params = new LinkedHashMap<>();
    params.put("workload", workload);
    params.put("target_per_second", Math.round(target));
    params.put("per_second", Math.round(result.perSecond()));
    params.put("p99_us", Math.round(result.p99Micros()));
    params.put("load_seconds", Math.round(result.besideSeconds() * 100) / 100.0);
    params.put("failed", result.failed());
    double ratio = result.meanMicros() / base.meanMicros();
    report.figure(name, params, result.meanMicros(), "us", vs, ratio);
  }

  /** Writes every {@code step}-th record of the table, with new values. */
  private Path write(String name, int records, int step, int bytes) throws IOException {
    Path file = scratch.child(name);
    SplittableRandom random = new SplittableRandom(step);
    StringBuilder value = new StringBuilder();
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write("id,field0\n");
      for (int i = 0; i < records; i += step) {
        value.setLength(0);
        while (value.length() < bytes) {
          value.append(Bytes.ofLong(random.nextLong()));
        }
        out.write(
            YcsbTraffic.key(i) + "," + value.substring(0, bytes).replaceAll("\\W", "x") + "\n");
      }
    }
    return file;
  }
}
