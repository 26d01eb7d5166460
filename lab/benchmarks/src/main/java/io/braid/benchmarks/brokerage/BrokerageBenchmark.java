package io.braid.benchmarks.brokerage;

import com.sun.management.OperatingSystemMXBean;
import io.braid.BraidConfig;
import io.braid.Setting;
import io.braid.benchmarks.Comparison;
import io.braid.benchmarks.Report;
import io.braid.benchmarks.Scratch;
import io.braid.benchmarks.brokerage.Mix.Commission;
import io.braid.core.transaction.Protocol;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The counterpart of figure 9 of the Percolator paper and of its factor of 30, with a brokerage in
 * the manner of TPC-E. The benchmark measures how the cost grows with the demand. It also compares
 * the cost of a transaction with a database with SQL and with RocksDB's own transactions.
 */
@Command(
    name = "brokerage",
    mixinStandardHelpOptions = true,
    description = {
      "A brokerage in the manner of TPC-E: processor time for a transaction beside H2 and RocksDB's"
          + " transactions, brokers' rows written by each trade or by an observer, and how the cost grows"
          + " with the demand."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid bench brokerage --quick",
      "  braid bench brokerage --customers 50000 --only demand"
    })
public final class BrokerageBenchmark implements Callable<Integer> {
  private static final String ROCKS = "RocksDB's transactions, commission omitted";
  private static final String SQL = "H2, commission omitted";
  private static final String OMITTED = "Percolator, commission omitted";
  private static final String UPDATED = "Percolator, broker's row written";
  private static final String ADDED_UP = "Percolator, added up by an observer";
  private static final String OMID = "Omid, commission omitted";
  private static final String ROCKS_UPDATED = "RocksDB's transactions, broker's row written";

  /** The demands, as shares of the highest demand. */
  private static final double[] DEMANDS = {0.125, 0.25, 0.5, 1};

  /**
   * The highest demand as a share of the clients' maximum rate, so that the clients can meet it.
   */
  private static final double BEARABLE = 0.6;

  /** The parts that can be run separately. */
  enum Part {
    systems,
    demand
  }

  @Option(names = "--customers", description = "How many (default: ${DEFAULT-VALUE}).")
  long customers = 10_000;

  @Option(names = "--clients", description = "Threads (default: ${DEFAULT-VALUE}).")
  int clients = 4;

  @Option(names = "--rounds", description = "Counted rounds (default: ${DEFAULT-VALUE}).")
  int rounds = 21;

  @Option(names = "--slice", description = "Milliseconds of a case in a round.")
  long slice = 500;

  @Option(names = "--quick", description = "A first look in under a minute.")
  boolean quick;

  @Option(
      names = "--only",
      split = ",",
      description = "Parts to run: ${COMPLETION-CANDIDATES} (default: all).")
  Set<Part> only = EnumSet.allOf(Part.class);

  @Override
  public Integer call() throws Exception {
    if (customers < 100 || clients < 1 || rounds < 1 || slice < 1) {
      System.err.println(
          "braid: --customers takes a number from 100 on, --clients, --rounds and --slice from 1 on.");
      return 2;
    }
    if (quick) {
      customers = Math.min(customers, 1000);
      rounds = Math.min(rounds, 5);
      slice = Math.min(slice, 200);
    }
    Report report = new Report("brokerage", System.out);
    try (Scratch scratch = Scratch.create()) {
      if (only.contains(Part.systems)) {
        systems(scratch, report);
      }
      if (only.contains(Part.demand)) {
        demand(scratch, report);
      }
    }
    report.end();
    return 0;
  }

  /** A system with a brokerage of its own. */
  private record Bed(String name, Commission commission, Books books, Mix mix) {}

  private static Bed bed(String name, long customers, Commission commission, Books books)
      throws Exception {
    Market market = Market.of(customers);
    market.load(books);
    return new Bed(name, commission, books, new Mix(market, books, commission));
  }

  private List<Bed> beds(Scratch scratch, long memory) throws Exception {
    List<Bed> beds = new ArrayList<>();
    Path directory = scratch.directory();
    beds.add(
        bed(ROCKS, customers, Commission.omitted, new RocksBooks(directory.resolve("r"), memory)));
    beds.add(bed(SQL, customers, Commission.omitted, new SqlBooks(directory.resolve("s"), memory)));
    beds.add(braid(directory.resolve("p"), OMITTED, Protocol.PERCOLATOR, Commission.omitted));
    beds.add(braid(directory.resolve("o"), OMID, Protocol.OMID, Commission.omitted));
    beds.add(
        bed(
            ROCKS_UPDATED,
            customers,
            Commission.updated,
            new RocksBooks(directory.resolve("ru"), memory)));
    beds.add(braid(directory.resolve("pu"), UPDATED, Protocol.PERCOLATOR, Commission.updated));
    beds.add(braid(directory.resolve("pa"), ADDED_UP, Protocol.PERCOLATOR, Commission.added_up));
    return beds;
  }

  private Bed braid(Path directory, String name, Protocol protocol, Commission commission)
      throws Exception {
    return bed(
        name,
        customers,
        commission,
        BraidBooks.open(directory, protocol, commission == Commission.added_up));
  }

  private void systems(Scratch scratch, Report report) throws Exception {
    List<Bed> beds = beds(scratch, BraidConfig.defaults().get(Setting.STORE_MEMORY));
    try {
      Comparison comparison =
          new Comparison(clients, new Comparison.Effort(rounds, slice, 4 * slice))
              .slow()
              .countedBy(() -> processorNanos() / 1000);
      beds.forEach(bed -> comparison.add(bed.name, bed.mix::step));
      Comparison.Results figures = comparison.run();
      Comparison.Figures base = figures.of(ROCKS);
      for (Bed bed : beds) {
        audit(bed);
        Comparison.Figures own = figures.of(bed.name);
        Map<String, Object> params = new LinkedHashMap<>();
        params.put("clients", clients);
        params.put("customers", customers);
        params.put("cpuRatio", rounded(own.cpuRatioTo(base)));
        params.put("cpu_us", rounded(1e6 / Comparison.medianOf(own.perCpuSecond())));
        params.put("again", rounded((double) bed.mix.conflicts() / Math.max(1, bed.mix.trades())));
        report.figure(bed.name, params, own.median(), "transactions/s", ROCKS, own.ratioTo(base));
      }
      report.atMost(
          "processor time of a transaction to H2", 3, cost(figures, OMITTED) / cost(figures, SQL));
      report.atMost(
          "processor time of a transaction to RocksDB's transactions",
          3,
          cost(figures, OMITTED) / cost(figures, ROCKS));
      report.atLeast(
          "brokers' rows added up by an observer to omitted",
          0.8,
          figures.ratio(ADDED_UP, OMITTED));
    } finally {
      for (Bed bed : beds) {
        bed.books.close();
      }
    }
  }

  /** Checks that every executed trade is in its broker's row exactly once. */
  private static void audit(Bed bed) throws Exception {
    long found = bed.mix.tradesOfBrokers();
    long expected = bed.commission == Commission.omitted ? 0 : bed.mix.trades();
    if (found != expected) {
      throw new IllegalStateException(
          bed.name + ": the brokers' rows have " + found + " trades, not " + expected + ".");
    }
  }

  private static double cost(Comparison.Results figures, String name) {
    return 1 / Comparison.medianOf(figures.of(name).perCpuSecond());
  }

  /**
   * Measures the processor time as growing numbers of customers request growing numbers of trades.
   */
  private void demand(Scratch scratch, Report report) throws Exception {
    double most = 0;
    List<Double> costs = new ArrayList<>();
    // The largest brokerage runs first: its maximum rate sets the demand.
    for (int i = DEMANDS.length - 1; i >= 0; i--) {
      long own = Math.max(100, Math.round(customers * DEMANDS[i]));
      Path directory = Files.createDirectories(scratch.directory().resolve("demand" + i));
      try (Books books = BraidBooks.open(directory, Protocol.PERCOLATOR, false)) {
        Bed bed = bed(OMITTED, own, Commission.omitted, books);
        double unbounded = work(bed, Double.MAX_VALUE, 4 * slice).perSecond;
        most = most == 0 ? unbounded * BEARABLE : most;
        long tradesBefore = bed.mix.trades();
        Work done = work(bed, most * DEMANDS[i], slice * rounds);
        double trades = (bed.mix.trades() - tradesBefore) / done.seconds;
        Map<String, Object> params = new LinkedHashMap<>();
        params.put("customers", own);
        params.put("clients", clients);
        params.put("wanted", Math.round(most * DEMANDS[i]));
        params.put("transactions_s", Math.round(done.perSecond));
        params.put("cores", rounded(done.cores));
        params.put("cpu_us", rounded(1e6 * done.cores / done.perSecond));
        report.figure(
            "trades by demand", params, trades, "trades/s", "a core", trades / done.cores);
        costs.add(done.cores / done.perSecond);
      }
    }
    report.atMost(
        "processor time of a transaction, highest demand to lowest",
        1.2,
        costs.get(0) / costs.get(costs.size() - 1));
  }

  /**
   * The work of the clients over some time.
   *
   * @param cores the number of busy processors, including the store's own threads
   */
  private record Work(double perSecond, double cores, double seconds) {}

  private Work work(Bed bed, double perSecond, long millis) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(clients);
    try {
      long cpu = processorNanos();
      long begin = System.nanoTime();
      List<Future<Long>> all = new ArrayList<>();
      for (int t = 0; t < clients; t++) {
        SplittableRandom random = new SplittableRandom(t + 1);
        all.add(
            threads.submit(
                () -> {
                  long done = 0;
                  for (long now = begin;
                      now - begin < millis * 1_000_000;
                      now = System.nanoTime()) {
                    long due = begin + Math.round(done * clients / perSecond * 1e9);
                    if (due > now) {
                      LockSupport.parkNanos(Math.min(due - now, 50_000_000));
                    } else {
                      bed.mix.step(random);
                      done++;
                    }
                  }
                  return done;
                }));
      }
      long done = 0;
      for (Future<Long> each : all) {
        done += each.get();
      }
      double seconds = (System.nanoTime() - begin) / 1e9;
      double cores = (processorNanos() - cpu) / 1e9 / seconds;
      return new Work(done / seconds, cores, seconds);
    } finally {
      threads.shutdownNow();
    }
  }

  /**
   * Returns the processor time of the whole process. Background work of the store counts, as in the
   * paper.
   */
  private static long processorNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
