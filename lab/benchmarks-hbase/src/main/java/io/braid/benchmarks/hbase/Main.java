package io.braid.benchmarks.hbase;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * {@code braid bench hbase} and {@code bench groups --store hbase}. They are separate from the
 * other benchmarks, which need no HBase.
 */
@Command(
    name = "braid",
    mixinStandardHelpOptions = true,
    subcommands = Main.Bench.class,
    synopsisSubcommandLabel = "bench hbase|groups")
public final class Main {
  /** The part of {@code bench} that this module provides. */
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
