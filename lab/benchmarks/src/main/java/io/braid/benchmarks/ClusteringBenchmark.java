package io.braid.benchmarks;

import io.braid.Braid;
import io.braid.core.data.Row;
import io.braid.core.transaction.Snapshot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The counterpart of figure 7 of the Percolator paper at the size of a laptop. The benchmark
 * measures the time from a document's writing until an observer clusters it, for rising crawl
 * rates. The comparison is a batch job that clusters the whole repository again and again.
 *
 * <p>The batch's delay is computed as in the paper. A document waits for the rest of a running job,
 * half a job on average, and then for a whole job. A job also processes the documents crawled
 * during the job before. With a crawl rate r, a job that takes T for the repository alone takes T /
 * (1 - rT). T is measured. As in the paper, the factor between the two grows with the repository.
 *
 * <p>The rate grows by factors of ten until observers no longer keep up. A search between the last
 * two rates then finds the rate at which observers saturate. The output also has the rate at which
 * the batch saturates (1 / T), and whether the batch is faster at any rate.
 */
@Command(
    name = "clustering",
    mixinStandardHelpOptions = true,
    description = "Delay until a crawled document is clustered, by observers and by a batch job.")
final class ClusteringBenchmark implements Callable<Integer> {
  private static final double MOST_PERCENT_PER_HOUR = 1e7;

  /**
   * The number of halvings of the interval between the last sustained rate and the first
   * unsustained one.
   */
  private static final int HALVINGS = 4;

  private static final int LEAST_SAMPLES = 40;
  private static final long LOOK_NANOS = 50_000;

  /**
   * The lateness at the end from which observers do not keep up, in seconds and as a share of the
   * run.
   */
  private static final double LATE_SECONDS = 2;

  private static final double LATE_SHARE = 0.2;

  /** The most documents crawled at one rate. An excessive rate shows before its time is over. */
  private static final int MOST_SAMPLES = 200_000;

  @Option(names = "--documents", description = "In the repository (default: ${DEFAULT-VALUE}).")
  int documents = 300_000;

  @Option(names = "--seconds", description = "For each crawl rate (default: ${DEFAULT-VALUE}).")
  double seconds = 20;

  @Option(names = "--quick", description = "A first look in under a minute.")
  boolean quick;

  @Override
  public Integer call() throws Exception {
    int batches = 3;
    if (quick) {
      documents = Math.min(documents, 80_000);
      seconds = Math.min(seconds, 3);
    }
    Report report = new Report("clustering", System.out);
    try (Scratch scratch = Scratch.create();
        Braid db = Braid.open(scratch.child("braid"))) {
      Repository repository = new Repository(db, documents);
      repository.load(documents);
      BatchClustering batch = new BatchClustering(db, scratch.child("batch"));
      List<Double> jobs = new ArrayList<>();
      for (int i = 0; i < batches; i++) {
        jobs.add(batch.run(repository.size()));
      }
      jobs.sort(null);
      double job = jobs.get(batches / 2);
      report.figure(
          "batch job", Map.of("documents", documents, "passes", 3), job, "s", "batch job", 1);
      repository.observe();
      measure(db, repository, LEAST_SAMPLES, LEAST_SAMPLES / Math.min(2, seconds)); // warm
      saturate(report, percent -> crawl(report, db, repository, percent, job), job);
    }
    report.end();
    return 0;
  }

  /**
   * The result for a crawl rate.
   *
   * @param percent of the repository in an hour
   * @param keepsUp whether the waiting time of documents did not keep growing
   * @param observed median delay by observers, milliseconds
   * @param batch delay by the batch job, milliseconds; infinite if the job does not keep up
   */
  private record Crawl(double percent, boolean keepsUp, double observed, double batch) {}

  private void saturate(Report report, DoubleFunction<Crawl> crawl, double job) {
    Crawl kept = crawl.apply(1);
    List<Crawl> sooner = new ArrayList<>();
    Crawl lost = kept;
    while (lost.keepsUp() && lost.percent() < MOST_PERCENT_PER_HOUR) {
      kept = lost;
      lost = crawl.apply(lost.percent() * 10);
      if (lost.batch() < lost.observed()) {
        sooner.add(lost);
      }
    }
    for (int i = 0; i < HALVINGS && !lost.keepsUp() && kept.keepsUp(); i++) {
      Crawl between = crawl.apply(Math.sqrt(kept.percent() * lost.percent()));
      if (between.batch() < between.observed()) {
        sooner.add(between);
      }
      if (between.keepsUp()) {
        kept = between;
      } else {
        lost = between;
      }
    }
    double batch = 100 * 3600 / job;
    rate(report, "crawl rate that observers keep up with", kept.percent(), batch);
    rate(report, "crawl rate that the batch keeps up with", batch, batch);
    sooner.stream()
        .mapToDouble(Crawl::percent)
        .min()
        .ifPresent(at -> rate(report, "crawl rate at which the batch is sooner", at, batch));
  }

  private void rate(Report report, String name, double percent, double base) {
    report.figure(
        name,
        Map.of("documents", documents, "documents_per_second", documents * percent / 360_000),
        percent,
        "percent/hour",
        "crawl rate that the batch keeps up with",
        percent / base);
  }

  private Crawl crawl(Report report, Braid db, Repository repository, double percent, double job) {
    double perSecond = documents * (percent / 100.0) / 3600;
    double measured = Math.max(perSecond, LEAST_SAMPLES / seconds);
    double[] millis =
        measure(db, repository, (int) Math.min(MOST_SAMPLES, measured * seconds), measured);
    double median = ObserversBenchmark.percentile(millis, 50);
    Map<String, Object> params = new LinkedHashMap<>();
    params.put("documents", documents);
    params.put("percent_per_hour", percent);
    params.put("documents_per_second", perSecond);
    params.put("measured_at_documents_per_second", measured);
    double late = Math.min(LATE_SECONDS, LATE_SHARE * millis.length / measured);
    boolean keepsUp = ObserversBenchmark.percentile(millis, 95) < late * 1000;
    params.put("keeps_up", keepsUp);
    double share = percent / 100.0 / 3600 * job;
    double delay = share < 1 ? 1.5 * job / (1 - share) * 1000 : Double.POSITIVE_INFINITY;
    for (int percentile : new int[] {5, 50, 95}) {
      Map<String, Object> with = new LinkedHashMap<>(params);
      with.put("percentile", percentile);
      double value = ObserversBenchmark.percentile(millis, percentile);
      report.figure("clustered by an observer", with, value, "ms", "median", value / median);
    }
    if (share < 1) {
      report.figure(
          "clustered by a batch", params, delay, "ms", "clustered by an observer", delay / median);
    }
    if (percent == 1) {
      report.atLeast("batch to observer, median delay at 1 percent per hour", 1000, delay / median);
    }
    return new Crawl(percent, keepsUp, median, delay);
  }

  /** A document that waits for clustering, with the time when its writing began. */
  private record Crawled(Row row, long nanos) {}

  /**
   * Writes documents evenly spread over time and checks when each is clustered. Returns the delays
   * in milliseconds, sorted. The writing thread checks the documents in the order of their writing.
   */
  private static double[] measure(Braid db, Repository repository, int count, double perSecond) {
    double[] millis = new double[count];
    Deque<Crawled> waiting = new ArrayDeque<>();
    int written = 0;
    int seen = 0;
    long begin = System.nanoTime();
    while (seen < count) {
      long due = begin + (long) (written * 1e9 / perSecond);
      if (written < count && System.nanoTime() >= due) {
        // The delay counts from the due time, so that a late writer does not shorten the delay.
        waiting.add(new Crawled(repository.crawl(), due));
        written++;
      } else if (waiting.isEmpty()) {
        LockSupport.parkNanos(Math.min(LOOK_NANOS, Math.max(1, due - System.nanoTime())));
      } else if (!isClustered(db, waiting.peek().row())) {
        LockSupport.parkNanos(LOOK_NANOS);
      }
      while (!waiting.isEmpty() && isClustered(db, waiting.peek().row())) {
        millis[seen++] = (System.nanoTime() - waiting.remove().nanos()) / 1e6;
        if (System.nanoTime() >= begin + (long) (written * 1e9 / perSecond)) {
          break;
        }
      }
    }
    Arrays.sort(millis);
    return millis;
  }

  private static boolean isClustered(Braid db, Row row) {
    try (Snapshot now = db.snapshot()) {
      return now.get(row, Repository.CLUSTER).isPresent();
    }
  }
}
