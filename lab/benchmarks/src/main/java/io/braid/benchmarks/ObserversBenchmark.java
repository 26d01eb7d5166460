package io.braid.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Snapshot;
import io.braid.observers.Observer;
import io.braid.observers.ObserverOptions;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The cost of observers. The benchmark measures the rate of changes that one process writes and
 * observes at the same time. It also measures the time from the beginning of a write until a reader
 * sees the observer's write.
 *
 * <p>Every change is to another row, so no changes collapse. Each change triggers its own
 * transaction, which reads the changed column and writes another one.
 */
@Command(
    name = "observers",
    mixinStandardHelpOptions = true,
    description =
        "Changes observed per second, and the time from a write to its observer's commit.")
final class ObserversBenchmark implements Callable<Integer> {
  private static final String TABLE = "rows";
  private static final Column<Bytes> CHANGED = Column.of("f", "changed", Codecs.bytes());
  private static final Column<Bytes> DERIVED = Column.of("f", "derived", Codecs.bytes());
  private static final String OBSERVER = "derive";
  private static final Duration LONG = Duration.ofMinutes(5);

  /** The number of rows waiting for their observer at which a writer pauses. */
  private static final long MOST_PENDING = 20_000;

  /**
   * The number of waiting rows at which the load beside the probes pauses, so that a slow machine
   * finishes too.
   */
  private static final long MOST_PENDING_BESIDE = 200;

  @Option(names = "--rounds", description = "Counted rounds (default: ${DEFAULT-VALUE}).")
  int rounds = 5;

  @Option(names = "--slice", description = "Milliseconds of a round (default: ${DEFAULT-VALUE}).")
  long slice = 4000;

  @Option(names = "--workers", description = "Tasks that run observers.")
  int workers = 2;

  @Option(names = "--samples", description = "Of the latency (default: ${DEFAULT-VALUE}).")
  int samples = 5000;

  @Option(
      names = "--only",
      split = ",",
      description = "Parts to run: ${COMPLETION-CANDIDATES} (default: all).")
  Set<Part> only = EnumSet.allOf(Part.class);

  /** The parts that can be run separately. */
  enum Part {
    throughput,
    latency
  }

  @Option(names = "--quick", description = "A first look in under a minute.")
  boolean quick;

  private final SplittableRandom random = new SplittableRandom(1);
  private long rows;

  @Override
  public Integer call() throws Exception {
    if (quick) {
      rounds = 3;
      slice = 1500;
      samples = Math.min(samples, 1000);
    }
    Report report = new Report("observers", System.out);
    try (Scratch scratch = Scratch.create()) {
      if (only.contains(Part.throughput)) {
        throughput(scratch, report);
      }
      if (only.contains(Part.latency)) {
        latency(scratch, report);
      }
    }
    report.end();
    return 0;
  }

  private Braid open(Path directory, boolean observed) {
    BraidConfig config =
        BraidConfig.defaults().with("observers.workers", Integer.toString(workers));
    Braid db = Braid.open(directory, config);
    db.ensureTable(TABLE, "f");
    if (observed) {
      db.observe(
          Observer.of(
              OBSERVER,
              TABLE,
              CHANGED,
              (tx, row) -> tx.set(row, DERIVED, tx.get(row, CHANGED).orElse(Bytes.EMPTY))));
      db.startWorkers();
    }
    return db;
  }

  private void throughput(Scratch scratch, Report report) {
    try (Braid plain = open(scratch.child("plain"), false);
        Braid observed = open(scratch.child("observed"), true)) {
      double best = 0;
      for (int batch : List.of(1, 100)) {
        List<Double> without = new ArrayList<>();
        List<Double> with = new ArrayList<>();
        List<Double> backlog = new ArrayList<>();
        List<Double> cpu = new ArrayList<>();
        for (int round = 0; round <= rounds; round++) {
          double plainRate = written(plain, batch);
          long cpuBefore = cpuNanos();
          long rowsBefore = rows;
          double observedRate = observed(observed, batch);
          double cpuMicros = (cpuNanos() - cpuBefore) / 1e3 / (rows - rowsBefore);
          double backlogRate = backlog(observed, batch);
          if (round > 0) {
            without.add(plainRate);
            with.add(observedRate);
            backlog.add(backlogRate);
            cpu.add(cpuMicros);
          }
        }
        double base = median(without);
        Map<String, Object> params = Map.of("rows_per_transaction", batch, "workers", workers);
        String vs = "written, not observed";
        report.figure(vs, params, base, "changes/s", vs, 1);
        report.figure(
            "written and observed", params, median(with), "changes/s", vs, median(with) / base);
        report.figure(
            "observed, written before",
            params,
            median(backlog),
            "changes/s",
            vs,
            median(backlog) / base);
        report.figure(
            "processor time to write and observe",
            params,
            median(cpu),
            "us/change",
            "one processor",
            median(cpu) / (1e6 / median(with)));
        best = Math.max(best, median(with));
      }
      report.atLeast("changes written and observed per second", 20_000, best);
    }
  }

  /** Writes for a slice and returns the changes per second. */
  private double written(Braid db, int batch) {
    long begin = System.nanoTime();
    long before = rows;
    while (System.nanoTime() - begin < slice * 1_000_000) {
      write(db, batch);
    }
    return (rows - before) * 1e9 / (System.nanoTime() - begin);
  }

  /**
   * Writes for a slice and waits for the observers. Returns the changes per second from beginning
   * to end.
   */
  private double observed(Braid db, int batch) {
    long begin = System.nanoTime();
    long before = rows;
    long sinceLook = 0;
    while (System.nanoTime() - begin < slice * 1_000_000) {
      write(db, batch);
      sinceLook += batch;
      if (sinceLook > MOST_PENDING / 10) {
        sinceLook = 0;
        while (db.observerStats().pending() > MOST_PENDING) {
          pause(1);
        }
      }
    }
    awaitQuiet(db);
    return (rows - before) * 1e9 / (System.nanoTime() - begin);
  }

  /**
   * Lets changes pile up while the observer is paused. Returns the changes per second after it
   * resumes.
   */
  private double backlog(Braid db, int batch) {
    int changes = quick ? 5_000 : 20_000;
    db.observerOperations().pause(OBSERVER);
    pause(2 * ObserverOptions.defaults().registryInterval().toMillis());
    for (int i = 0; i < changes; i += batch) {
      write(db, batch);
    }
    long before = db.observerStats().runs();
    db.observerOperations().resume(OBSERVER);
    while (db.observerStats().runs() == before) {
      pause(1);
    }
    long begin = System.nanoTime();
    while (db.observerStats().runs() - before < changes) {
      pause(1);
    }
    return (db.observerStats().runs() - before) * 1e9 / (System.nanoTime() - begin);
  }

  private static void awaitQuiet(Braid db) {
    while (db.observerStats().pending() > 0) {
      pause(1);
    }
    if (!db.awaitObserversIdle(LONG)) {
      throw new IllegalStateException("The observers do not come to rest.");
    }
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void write(Braid db, int batch) {
    Bytes value = value();
    db.run(
        tx -> {
          for (int i = 0; i < batch; i++) {
            tx.set(row(rows + i), CHANGED, value);
          }
          return true;
        });
    rows += batch;
  }

  private void latency(Scratch scratch, Report report) throws InterruptedException {
    try (Braid db = open(scratch.child("latency"), true)) {
      probes(db, Math.min(500, samples));
      double[] idle = probes(db, samples);
      report(report, "idle", 0, idle);
      AtomicBoolean over = new AtomicBoolean();
      int load = 2000;
      Thread other = new Thread(() -> load(db, load, over), "load");
      other.start();
      probes(db, Math.min(500, samples));
      double[] loaded = probes(db, samples);
      over.set(true);
      other.join();
      report(report, "under load", load, loaded);
      report.atMost("ms from write to observer's commit, median, idle", 5, percentile(idle, 50));
      report.atMost(
          "ms from write to observer's commit, median, under load", 5, percentile(loaded, 50));
    }
  }

  private static void report(Report report, String name, int load, double[] millis) {
    double median = percentile(millis, 50);
    for (int percent : new int[] {50, 95, 99}) {
      double value = percentile(millis, percent);
      report.figure(
          "write to observer's commit, " + name,
          Map.of("percentile", percent, "other_changes_per_second", load),
          value,
          "ms",
          "median",
          value / median);
    }
  }

  /**
   * Writes one row after another, each after the previous one was observed. Returns the delays in
   * milliseconds, sorted.
   */
  private double[] probes(Braid db, int count) {
    double[] millis = new double[count];
    for (int i = 0; i < count; i++) {
      Row row = row(Long.MAX_VALUE / 2 + rows++);
      Bytes value = value();
      long begin = System.nanoTime();
      db.run(
          tx -> {
            tx.set(row, CHANGED, value);
            return true;
          });
      while (!isDerived(db, row)) {
        Thread.onSpinWait();
      }
      millis[i] = (System.nanoTime() - begin) / 1e6;
    }
    Arrays.sort(millis);
    return millis;
  }

  private static boolean isDerived(Braid db, Row row) {
    try (Snapshot now = db.snapshot()) {
      return now.get(row, DERIVED).isPresent();
    }
  }

  /** Writes other changes, evenly spread over time. Writes fewer if observers do not keep up. */
  private static void load(Braid db, int perSecond, AtomicBoolean over) {
    SplittableRandom own = new SplittableRandom(2);
    long begin = System.nanoTime();
    for (long i = 0; !over.get(); i++) {
      while (System.nanoTime() - begin < i * 1_000_000_000L / perSecond) {
        pause(1);
      }
      while (!over.get() && db.observerStats().pending() > MOST_PENDING_BESIDE) {
        pause(1);
      }
      byte[] value = new byte[100];
      own.nextBytes(value);
      Row row = row(Long.MIN_VALUE + i);
      db.run(
          tx -> {
            tx.set(row, CHANGED, Bytes.wrap(value));
            return true;
          });
    }
  }

  /** Returns the row of a key of sixteen bytes, spread over the key space. */
  private static Row row(long i) {
    byte[] key = ByteBuffer.allocate(16).putLong(i * 0x9E3779B97F4A7C15L).putLong(i).array();
    return Row.of(TABLE, Bytes.wrap(key));
  }

  private Bytes value() {
    byte[] value = new byte[100];
    random.nextBytes(value);
    return Bytes.wrap(value);
  }

  /** Returns the processor time of all threads of this process, including those of RocksDB. */
  private static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static double median(List<Double> values) {
    return percentile(values.stream().mapToDouble(Double::doubleValue).sorted().toArray(), 50);
  }

  static double percentile(double[] sorted, int percent) {
    return sorted[Math.min(sorted.length - 1, sorted.length * percent / 100)];
  }
}
