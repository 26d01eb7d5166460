package io.braid.benchmarks.ycsb;

import io.braid.Braid;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.HdrHistogram.Histogram;
import site.ycsb.ClientThread;
import site.ycsb.Workload;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/**
 * Serving traffic as in the paper (Hadoop on PNUTS, section 7.4). YCSB's clients read, or read and
 * update, a table at a target rate during other work on the table.
 */
public final class YcsbTraffic implements AutoCloseable {
  private static final String LENT = "lent";
  private static final double MILLIS_OF_SECOND = 1000;

  private final Target target;
  private final String table;
  private final int records;
  private final int threads;

  /**
   * The result of a run.
   *
   * @param perSecond operations a second
   * @param meanMicros mean time of an operation
   * @param p99Micros 99th percentile of the time of an operation
   * @param failed operations that failed, excluding conflicts
   * @param besideSeconds the duration of the other work
   */
  public record Result(
      double perSecond, double meanMicros, double p99Micros, long failed, double besideSeconds) {}

  /**
   * @param table the table, whose records are {@link #key 0} and on, with one field {@code field0}
   */
  public YcsbTraffic(Braid db, String table, int records, int threads) {
    this.target = Target.lend(LENT, db);
    this.table = table;
    this.records = records;
    this.threads = threads;
  }

  /** Returns YCSB's name of a record. */
  public static String key(int number) {
    return String.format(Locale.ROOT, "user%09d", number);
  }

  /**
   * Serves until the other work is done, and at least for the given time.
   *
   * @param reads the share of reads; the others are updates. Keys are drawn by Zipf's law
   * @param perSecond the target of all clients together; 0 for as many as they can
   */
  public Result run(double reads, double perSecond, double leastSeconds, Callable<?> beside)
      throws Exception {
    Properties properties = properties(reads);
    Measurements.setProperties(properties);
    CoreWorkload workload = new CoreWorkload();
    workload.init(properties);
    Timed.Figures figures = new Timed.Figures();
    List<Thread> clients = start(properties, workload, figures, perSecond);
    long begin = System.nanoTime();
    double took;
    try {
      beside.call();
      took = (System.nanoTime() - begin) / 1e9;
      Thread.sleep((long) (Math.max(0, leastSeconds - took) * MILLIS_OF_SECOND));
    } finally {
      workload.requestStop();
      for (Thread each : clients) {
        each.join();
      }
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    workload.cleanup();
    return result(figures, seconds, took);
  }

  private List<Thread> start(
      Properties properties, Workload workload, Timed.Figures figures, double perSecond) {
    CountDownLatch ended = new CountDownLatch(threads);
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Timed db = new Timed(new BraidDb(), figures);
      db.setProperties(properties);
      double each = perSecond == 0 ? -1 : perSecond / threads / MILLIS_OF_SECOND;
      ClientThread client = new ClientThread(db, true, workload, properties, 0, each, ended);
      client.setThreadId(i);
      client.setThreadCount(threads);
      Thread thread = new Thread(client, "ycsb-" + i);
      clients.add(thread);
      thread.start();
    }
    return clients;
  }

  private Properties properties(double reads) {
    Properties properties = new Properties();
    properties.setProperty(Target.DATA, LENT);
    properties.setProperty("table", table);
    properties.setProperty("recordcount", Integer.toString(records));
    properties.setProperty("operationcount", "0");
    properties.setProperty("threadcount", Integer.toString(threads));
    properties.setProperty("insertorder", "ordered");
    properties.setProperty("zeropadding", "9");
    properties.setProperty("fieldcount", "1");
    properties.setProperty("fieldlength", "100");
    properties.setProperty("readproportion", Double.toString(reads));
    properties.setProperty("updateproportion", Double.toString(1 - reads));
    properties.setProperty("insertproportion", "0");
    properties.setProperty("scanproportion", "0");
    properties.setProperty("requestdistribution", "zipfian");
    return properties;
  }

  private static Result result(Timed.Figures figures, double seconds, double took) {
    Histogram all = new Histogram(3);
    figures.times().values().forEach(all::add);
    long failed =
        figures.ends().entrySet().stream()
            .filter(each -> !each.getKey().equals("OK"))
            .filter(each -> !each.getKey().equals(BraidDb.CONFLICT.getName()))
            .mapToLong(java.util.Map.Entry::getValue)
            .sum();
    return new Result(
        all.getTotalCount() / seconds,
        all.getMean() / 1e3,
        all.getValueAtPercentile(99) / 1e3,
        failed,
        took);
  }

  @Override
  public void close() {
    target.leave();
  }
}
