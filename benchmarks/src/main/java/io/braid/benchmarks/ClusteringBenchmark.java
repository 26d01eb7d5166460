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
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The counterpart of figure 7 of the Percolator paper at the size of a laptop: the time from a
 * document's writing until it is clustered by an observer, for rising crawl rates, beside a batch
 * job that clusters the whole repository again and again.
 *
 * <p>The batch's delay is computed as the paper does: a document waits for the rest of a running
 * job, half of one on average, and then for a whole one. A job also has to do what was crawled
 * during the one before: with a crawl rate r a job that takes T for the repository alone takes T /
 * (1 - rT). T is measured. Like the paper's, the factor between the two grows with the repository.
 */
@Command(
    name = "clustering",
    mixinStandardHelpOptions = true,
    description = "Delay until a crawled document is clustered, by observers and by a batch job.")
final class ClusteringBenchmark implements Callable<Integer> {
  private static final int[] PERCENT_PER_HOUR = {1, 10, 100, 1000, 10_000};
  private static final int LEAST_SAMPLES = 40;
  private static final long LOOK_NANOS = 50_000;

  /** Documents that wait at the end, in seconds of crawling, when the observers do not keep up. */
  private static final double LATE_SECONDS = 2;

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
      for (int percent : PERCENT_PER_HOUR) {
        crawl(report, db, repository, percent, job);
      }
    }
    report.end();
    return 0;
  }

  private void crawl(Report report, Braid db, Repository repository, int percent, double job) {
    double perSecond = documents * (percent / 100.0) / 3600;
    double measured = Math.max(perSecond, LEAST_SAMPLES / seconds);
    double[] millis = measure(db, repository, (int) (measured * seconds), measured);
    double median = ObserversBenchmark.percentile(millis, 50);
    Map<String, Object> params = new LinkedHashMap<>();
    params.put("documents", documents);
    params.put("percent_per_hour", percent);
    params.put("documents_per_second", perSecond);
    params.put("measured_at_documents_per_second", measured);
    boolean keepsUp = ObserversBenchmark.percentile(millis, 95) < LATE_SECONDS * 1000;
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
  }

  /** A document on its way: when its writing began. */
  private record Crawled(Row row, long nanos) {}

  /**
   * Writes documents evenly spread over time and looks when each is clustered; milliseconds,
   * sorted. They are looked after in the order of their writing, by the thread that writes.
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
        // Counted from when it was due: a writer that is late does not make its documents early.
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
