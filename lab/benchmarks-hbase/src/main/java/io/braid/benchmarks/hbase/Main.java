package io.braid.benchmarks.hbase;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * {@code braid bench hbase} and {@code bench groups --store hbase}: apart from the other
 * benchmarks, which need no HBase.
 */
@Command(
    name = "braid",
    mixinStandardHelpOptions = true,
    subcommands = Main.Bench.class,
    synopsisSubcommandLabel = "bench hbase|groups")
public final class Main {
  /** What is here of {@code bench}. */
  @Command(
      name = "bench",
      mixinStandardHelpOptions = true,
      synopsisSubcommandLabel = "hbase|groups",
      subcommands = {HBaseBenchmark.class, HBaseGroupsBenchmark.class})
  static final class Bench {}

  private Main() {}

  public static void main(String[] args) {
    System.exit(
        new CommandLine(new Main()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
  }
}
