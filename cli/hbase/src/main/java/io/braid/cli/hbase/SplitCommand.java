package io.braid.cli.hbase;

import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.store.hbase.HBaseOptions;
import io.braid.store.hbase.HBaseStore;
import io.braid.view.ByteText;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "split",
    description = "Cuts a region so that one begins at a key.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = "  braid dev-cluster split accounts m")
final class SplitCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  String table = "";

  @Parameters(index = "1", paramLabel = "KEY", description = "Where the new region begins.")
  String key = "";

  @Mixin ClusterOptions cluster = new ClusterOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    ClusterHome home = cluster.existing();
    try (HBaseStore store = HBaseStore.connect(home.configuration(), HBaseOptions.DEFAULT)) {
      store.splitTablet(table, ByteText.parse(key));
      int tablets = store.tablets(table).size();
      output.print(
          Map.of("table", table, "key", key, "tablets", tablets),
          "A region of table " + table + " begins at " + key + ". Regions: " + tablets + ".");
    }
    return ExitCode.DONE;
  }
}
