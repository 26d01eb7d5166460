package io.braid.benchmarks.scaling;

import io.braid.Braid;
import io.braid.benchmarks.Report;
import io.braid.benchmarks.Scratch;
import io.braid.benchmarks.scaling.TransactionLoad.Measured;
import io.braid.core.cells.Families;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.time.LocalOracle;
import io.braid.core.time.StoreTimestampBound;
import io.braid.omid.manager.LocalTransactionManager;
import io.braid.omid.manager.TransactionManager.BegunTransaction;
import io.braid.omid.manager.WriteSet;
import io.braid.testkit.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Throughput and cost of transactions as clients, cores and data grow. A queueing model predicts
 * the same from the measurement of one client. The same model also gives a mere estimate for many
 * nodes.
 */
@Command(
    name = "scaling",
    mixinStandardHelpOptions = true,
    description = {
      "Transactions of five reads and five writes with more and more clients, cores and rows, and the cost"
          + " of each; beside it what a queueing model predicts, and what it says of a thousand nodes."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid bench scaling --quick",
      "  braid bench scaling --only data --rows 10000,1000000"
    })
public final class ScalingBenchmark implements Callable<Integer> {
  private static final int CLIENTS_OF_A_NODE = 64;

  /** The trips of a transaction to a remote store: begin, reads together, prewrite, commit. */
  private static final int TRIPS = 4;

  /** The parts that can be run separately. */
  enum Part {
    clients,
    cores,
    data,
    nodes
  }

  @Option(
      names = "--rows",
      split = ",",
      description =
          "Sizes of the table; the first is that of the other parts too (default: 100000,10000,1000000).")
  int[] rows = {100_000, 10_000, 1_000_000};

  @Option(
      names = "--clients",
      split = ",",
      description = "How many at once (default: 1,2,4,8,16,32,64).")
  int[] clients = {1, 2, 4, 8, 16, 32, 64};

  @Option(
      names = "--pause",
      description = "Of a client between transactions, in ms (default: ${DEFAULT-VALUE}).")
  double pause = 1;

  @Option(
      names = "--millis",
      description = "For each point, three times (default: ${DEFAULT-VALUE}).")
  long millis = 3000;

  @Option(
      names = "--trip",
      description =
          "Between nodes, there and back, in ms; for the estimate (default: ${DEFAULT-VALUE}).")
  double trip = 0.2;

  @Option(names = "--quick", description = "A first look in under a minute.")
  boolean quick;

  @Option(
      names = "--only",
      split = ",",
      description = "Parts to run: ${COMPLETION-CANDIDATES} (default: all).")
  Set<Part> only = EnumSet.allOf(Part.class);

  private final Report report = new Report("scaling", System.out);
  private final int cores = Runtime.getRuntime().availableProcessors();

  @Override
  public Integer call() throws Exception {
    if (Arrays.stream(rows).anyMatch(n -> n < 1) || Arrays.stream(clients).anyMatch(n -> n < 1)) {
      System.err.println("braid: --rows and --clients take numbers from 1 on.");
      return 2;
    }
    if (pause < 0 || trip < 0 || millis < 1) {
      System.err.println("braid: --pause and --trip take times from 0 on, --millis from 1 on.");
      return 2;
    }
    if (quick) {
      rows = Arrays.stream(rows).map(n -> Math.min(n, 50_000)).distinct().toArray();
      clients = Arrays.stream(clients).filter(n -> n <= 32).toArray();
      millis = Math.min(millis, 500);
    }
    if (only.contains(Part.clients) || only.contains(Part.cores) || only.contains(Part.nodes)) {
      try (Scratch scratch = Scratch.create();
          Braid db = TransactionLoad.filled(scratch.child("db"), rows[0])) {
        TransactionLoad load = new TransactionLoad(db, rows[0], millis);
        load.warmUp();
        Measured single = load.run(1, pause);
        if (only.contains(Part.clients)) {
          clients(load, single);
        }
        if (only.contains(Part.cores)) {
          cores(load);
        }
        if (only.contains(Part.nodes)) {
          nodes(single);
        }
      }
    }
    if (only.contains(Part.data)) {
      data();
    }
    report.end();
    return 0;
  }

  private void clients(TransactionLoad load, Measured single) throws Exception {
    ClosedNetwork model =
        new ClosedNetwork()
            .stations("processors", single.processor(), cores, 1)
            .delay(Math.max(0, single.elapsed() - single.processor()) + single.paused());
    double worst = 1;
    for (int count : clients) {
      Measured measured = load.run(count, pause);
      ClosedNetwork.Prediction predicted = model.at(count);
      double ratio = predicted.perSecond() / measured.perSecond();
      worst = Math.max(worst, Math.max(ratio, 1 / ratio));
      Map<String, Object> params = new LinkedHashMap<>();
      params.put("clients", count);
      params.put("rows", rows[0]);
      params.put("pause_ms", pause);
      params.put("cpu_us", micros(measured.processor()));
      params.put("elapsed_us", micros(measured.elapsed()));
      params.put("predicted", Math.round(predicted.perSecond()));
      params.put("busy", rounded(predicted.busy()));
      report.figure(
          "clients", params, measured.perSecond(), "transactions/s", "the model", 1 / ratio);
    }
    report.atMost("throughput by clients, model and measured apart at most", 1.3, worst);
  }

  /** Measures without pauses, up to as many clients as there are processors to use. */
  private void cores(TransactionLoad load) throws Exception {
    double one = 0;
    double oneCost = 0;
    for (int count = 1;
        count <= cores;
        count = count == cores ? cores + 1 : Math.min(2 * count, cores)) {
      Measured measured = load.run(count, 0);
      one = one == 0 ? measured.perSecond() : one;
      oneCost = oneCost == 0 ? measured.processor() : oneCost;
      Map<String, Object> params = new LinkedHashMap<>();
      params.put("cores", count);
      params.put("rows", rows[0]);
      params.put("cpu_us", micros(measured.processor()));
      params.put("processors", rounded(measured.perSecond() * measured.processor()));
      report.figure(
          "cores",
          params,
          measured.perSecond(),
          "transactions/s",
          "one core",
          measured.perSecond() / one);
      if (count == cores && cores > 1) {
        report.atLeast(
            "throughput of " + cores + " cores to one", 0.8 * cores, measured.perSecond() / one);
        report.atMost(
            "processor time of a transaction, " + cores + " cores to one",
            1.25,
            measured.processor() / oneCost);
      }
    }
  }

  private void data() throws Exception {
    double least = 0;
    double last = 0;
    int[] sizes = rows.clone();
    Arrays.sort(sizes);
    for (int size : sizes) {
      try (Scratch scratch = Scratch.create();
          Braid db = TransactionLoad.filled(scratch.child("db"), size)) {
        TransactionLoad load = new TransactionLoad(db, size, millis);
        load.warmUp();
        Measured measured = load.run(1, 0);
        last = measured.processor();
        least = least == 0 ? last : least;
        Map<String, Object> params = new LinkedHashMap<>();
        params.put("rows", size);
        params.put("cpu_us", micros(measured.processor()));
        params.put("bytes_on_disk", bytes(scratch.directory()));
        report.figure(
            "data", params, measured.perSecond(), "transactions/s", "the smallest", last / least);
      }
    }
    if (sizes.length > 1) {
      report.atMost(
          "processor time of a transaction, " + sizes[sizes.length - 1] + " rows to " + sizes[0],
          2,
          last / least);
    }
  }

  /**
   * Estimates many nodes by the model, with service times of this machine. No measurement confirms
   * this.
   */
  private void nodes(Measured single) {
    double manager = manager();
    for (int nodes : new int[] {1, 10, 100, 1000}) {
      for (boolean managed : new boolean[] {false, true}) {
        ClosedNetwork model =
            new ClosedNetwork()
                .stations("stores", single.processor(), cores, nodes)
                .delay(TRIPS * trip / 1000 + single.paused());
        if (managed) {
          model.stations("manager", manager, 1, 1);
        }
        ClosedNetwork.Prediction predicted = model.at(nodes * CLIENTS_OF_A_NODE);
        Map<String, Object> params = new LinkedHashMap<>();
        params.put("nodes", nodes);
        params.put("protocol", managed ? "omid" : "percolator");
        params.put("clients", nodes * CLIENTS_OF_A_NODE);
        params.put("store_us", micros(single.processor()));
        params.put("manager_us", managed ? micros(manager) : 0);
        params.put("trip_ms", trip);
        params.put("latency_ms", rounded(1000 * (predicted.seconds() - single.paused())));
        params.put("bottleneck", predicted.bottleneck());
        params.put("busy", rounded(predicted.busy()));
        report.figure("nodes, estimated", params, predicted.perSecond(), "transactions/s", "", 0);
      }
    }
  }

  /**
   * Returns the seconds of the manager's work for a begin and a commit of five cells, one after
   * another.
   */
  private double manager() {
    try (MemoryStore store = new MemoryStore()) {
      store.ensureTable(Families.system());
      LocalTransactionManager manager =
          new LocalTransactionManager(
              new LocalOracle(new StoreTimestampBound(store), new SystemSeams()),
              LocalTransactionManager.DEFAULT_CELLS);
      SplittableRandom random = new SplittableRandom(1);
      WriteSet writes = new WriteSet();
      double least = Double.MAX_VALUE;
      for (int round = 0; round < 5; round++) {
        long begin = System.nanoTime();
        long done = 0;
        while (System.nanoTime() - begin < millis * 200_000) {
          try (BegunTransaction begun = manager.begin()) {
            writes.reset(begun.timestamp()).addTable(1);
            for (int i = 0; i < TransactionLoad.OPERATIONS; i++) {
              writes.add(random.nextLong());
            }
            manager.commit(writes);
          }
          done++;
        }
        least = Math.min(least, (System.nanoTime() - begin) / 1e9 / done);
      }
      return least;
    }
  }

  private static long bytes(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  private static double micros(double seconds) {
    return rounded(seconds * 1e6);
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
