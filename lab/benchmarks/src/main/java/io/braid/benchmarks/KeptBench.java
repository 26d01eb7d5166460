package io.braid.benchmarks;

import static io.braid.benchmarks.LoadBench.seconds;

import io.braid.Braid;
import io.braid.batch.atomic.KeptRows;
import io.braid.batch.job.JobReport;
import io.braid.batch.job.LoadOptions;
import io.braid.batch.snapshot.Algorithm;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import java.nio.file.Path;
import java.util.Map;

/**
 * The cost of reporting, in the record counts of a load by files, which records keep the values of
 * other writers: counting these records at the end, and remembering the written rows meanwhile.
 */
final class KeptBench {
  private static final Column<String> VALUE = Column.of("f", "v", Codecs.utf8());
  private static final String LOAD = "a load by hadoop-sort";
  private static final int OTHERS = 10_000;
  private static final int ROUNDS = 7;

  private final Report report;
  private final Braid db;
  private final LoadBench bench;

  KeptBench(Report report, Braid db, LoadBench bench) {
    this.report = report;
    this.db = db;
    this.bench = bench;
  }

  void run(int records, int bytes) throws Exception {
    LoadOptions options = LoadOptions.DEFAULT.by(Algorithm.HADOOP_SORT);
    Path input = bench.write("in.csv", records, 100, bytes);
    bench.load(bench.write("warm.csv", 50_000, 100, bytes), "warm", options);
    bench.load(input, "t", options);
    JobReport[] done = new JobReport[1];
    double load = seconds(() -> done[0] = bench.load(input, "t", options));
    figure(LOAD, records, load, load);
    long start = done[0].spec().start();
    long commit = Long.parseLong(done[0].state().message().replaceAll("\\D+", ""));
    KeptRows kept = new KeptRows(db.loads(), "t", start);

    // The store behaves as if it had remembered since the load began.
    CellStore store = db.store();
    store.rememberWrites("t", () -> start - 1);
    require(0, kept.underVeil(commit));
    figure("counted, nobody else wrote", records, seconds(() -> kept.underVeil(commit)), load);
    write(OTHERS);
    figure("counted, others wrote", OTHERS, seconds(() -> kept.underVeil(commit)), load);
    store.forgetWrites("t");
    require(0, kept.underVeil(commit));
    figure("counted by a scan", records, seconds(() -> kept.underVeil(commit)), load);

    write(5 * OTHERS);
    double[] plain = new double[ROUNDS];
    double[] remembered = new double[ROUNDS];
    for (int n = 0; n < ROUNDS; n++) {
      plain[n] = seconds(() -> write(OTHERS));
      store.rememberWrites("t", () -> start);
      remembered[n] = seconds(() -> write(OTHERS));
      store.forgetWrites("t");
    }
    double alone = least(plain);
    String vs = "transactions";
    Map<String, Object> params = Map.of("transactions", OTHERS);
    report.figure(vs, params, OTHERS / alone, "1/s", vs, 1);
    double noted = least(remembered);
    report.figure(
        "transactions whose rows are remembered", params, OTHERS / noted, "1/s", vs, noted / alone);
  }

  private void figure(String name, int records, double seconds, double load) {
    report.figure(name, Map.of("records", records), seconds, "s", LOAD, seconds / load);
  }

  private static void require(long wanted, long found) {
    if (wanted != found) {
      throw new IllegalStateException(found + " rows are counted instead of " + wanted + ".");
    }
  }

  private void write(int count) {
    for (int i = 0; i < count; i++) {
      Row row = new Row("t", Bytes.of(LoadBench.key(i)));
      db.run(
          tx -> {
            tx.set(row, VALUE, "mine");
            return 0;
          });
    }
  }

  private static double least(double[] seconds) {
    return java.util.Arrays.stream(seconds).min().orElseThrow();
  }
}
