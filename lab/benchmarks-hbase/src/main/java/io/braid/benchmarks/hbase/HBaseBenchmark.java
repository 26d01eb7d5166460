package io.braid.benchmarks.hbase;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.Setting;
import io.braid.benchmarks.Report;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The cost of Braid on HBase relative to raw HBase, measured from one client in one run. */
@Command(
    name = "hbase",
    mixinStandardHelpOptions = true,
    description = {
      "Reads, writes, calls per transaction and observers on a real HBase, beside raw HBase and",
      "Apache Omid.",
      "The part omid is Apache Omid's transactions beside Braid's, manager both managers alone,",
      "mixes the four systems of figures 4 to 7 of the Omid paper, loads a table loaded and scanned.",
      "Starts a cluster of its own and removes it at the end, unless it is given one."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid bench hbase --quick",
      "  braid bench hbase --only latency,throughput",
      "  braid bench hbase --site /etc/hbase/conf/hbase-site.xml"
    })
final class HBaseBenchmark implements Callable<Integer> {
  private static final int VALUE_BYTES = 100;

  /** The parts that can be run separately. */
  enum Part {
    calls,
    latency,
    throughput,
    observers,
    omid,
    manager,
    mixes,
    loads
  }

  @Option(
      names = "--only",
      split = ",",
      description = "Parts to run: ${COMPLETION-CANDIDATES} (default: all).")
  Set<Part> only = EnumSet.allOf(Part.class);

  @Option(names = "--rows", description = "Rows of 16-byte keys and 100-byte values.")
  int rows = 100_000;

  @Option(
      names = "--background",
      description =
          "Transactions a second that the managers are asked for beside the mixes (default:"
              + " ${DEFAULT-VALUE}).")
  long background = 2_000;

  @Option(names = "--records", description = "Records to load (default: ${DEFAULT-VALUE}).")
  int records = 500_000;

  @Option(names = "--rounds", description = "Counted rounds (default: ${DEFAULT-VALUE}).")
  int rounds = 41;

  @Option(names = "--slice", description = "Milliseconds of a case in a round.")
  long slice = 200;

  @Option(names = "--threads", description = "Of the throughput (default: ${DEFAULT-VALUE}).")
  int threads = 16;

  @Mixin ClusterChoice choice = new ClusterChoice();

  @Option(names = "--quick", description = "A first look in some five minutes.")
  boolean quick;

  @Override
  public Integer call() throws Exception {
    if (quick) {
      rows = Math.min(rows, 20_000);
      records = Math.min(records, 100_000);
      rounds = 9;
      slice = 100;
    }
    Report report = new Report("hbase", System.out);
    try (BenchCluster cluster = choice.open();
        RawHBase raw = cluster.raw();
        // The first connection is the coordinator. The second calls it over the network.
        Braid coordinator = cluster.connect(BraidConfig.defaults());
        Braid db = cluster.connect(BraidConfig.defaults());
        Braid twoPhase = cluster.connect(BraidConfig.defaults().with(Setting.ONE_PHASE, "off"));
        BenchTables tables = BenchTables.load(cluster, raw, coordinator, db, rows)) {
      Costs costs = new Costs(report, cluster, raw, coordinator, db, twoPhase, tables);
      if (only.contains(Part.calls)) {
        new CallCounts(report, db, twoPhase, tables).run();
      }
      if (only.contains(Part.latency)) {
        costs.latency(rounds, slice);
      }
      if (only.contains(Part.throughput)) {
        costs.throughput(new Processors(cluster.site()), threads, Math.max(5, rounds / 2), slice);
      }
      if (only.contains(Part.omid) || only.contains(Part.manager)) {
        besideOmid(cluster, raw, new PeerCosts(report, db, tables));
      }
      if (only.contains(Part.mixes)) {
        new Mixes(report, cluster, raw, coordinator, rows, quick).run(background);
      }
      if (only.contains(Part.loads)) {
        new Loads(report, cluster, db, records, VALUE_BYTES).run();
      }
      if (only.contains(Part.observers)) {
        new ObserverCosts(report, cluster, raw, new Processors(cluster.site()), quick).run();
      }
    }
    report.end();
    return 0;
  }

  private void besideOmid(BenchCluster cluster, RawHBase raw, PeerCosts costs) throws Exception {
    try (ApacheOmid apache = ApacheOmid.start(cluster, raw, rows)) {
      if (only.contains(Part.omid)) {
        costs.latency(apache, rounds, slice);
        costs.throughput(apache, threads, Math.max(5, rounds / 2), slice);
      }
      if (only.contains(Part.manager)) {
        costs.manager(apache, quick ? 1000 : 5000);
      }
    }
  }
}
