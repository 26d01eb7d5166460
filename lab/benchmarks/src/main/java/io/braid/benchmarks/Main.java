package io.braid.benchmarks;

import io.braid.benchmarks.brokerage.BrokerageBenchmark;
import io.braid.benchmarks.fuzz.FuzzCommand;
import io.braid.benchmarks.groups.GroupsBenchmark;
import io.braid.benchmarks.scaling.ScalingBenchmark;
import io.braid.benchmarks.ycsb.YcsbCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code braid bench NAME}. */
@Command(
    name = "braid",
    mixinStandardHelpOptions = true,
    subcommands = Main.Bench.class,
    synopsisSubcommandLabel = "bench NAME")
public final class Main {
  /** The benchmarks there are. */
  @Command(
      name = "bench",
      description = "Runs a benchmark and prints JSON lines, the targets last.",
      mixinStandardHelpOptions = true,
      synopsisSubcommandLabel = "NAME",
      subcommands = {
        PercolatorBenchmark.class,
        ServingBenchmark.class,
        ObserversBenchmark.class,
        SavingsBenchmark.class,
        TracesBenchmark.class,
        BatchBenchmark.class,
        ClusteringBenchmark.class,
        OmidBenchmark.class,
        GroupsBenchmark.class,
        BrokerageBenchmark.class,
        ScalingBenchmark.class,
        YcsbCommand.class,
        FuzzCommand.class,
        GalleryCommand.class
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  braid bench percolator --quick",
        "  braid bench percolator --rows 1000000",
        "  braid bench serving --quick",
        "  braid bench observers --quick",
        "  braid bench clustering --quick",
        "  braid bench savings --quick",
        "  braid bench traces --quick",
        "  braid bench groups --quick",
        "  braid bench brokerage --quick",
        "  braid bench scaling --quick",
        "  braid bench batch --quick",
        "  braid bench omid --quick",
        "  braid bench ycsb --workloads a,c",
        "  braid bench fuzz --frames 1000000",
        "  braid bench all --quick",
        "  braid bench hbase --quick"
      })
  static final class Bench {}

  private Main() {}

  public static void main(String[] args) {
    System.exit(
        new CommandLine(new Main()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
  }
}
