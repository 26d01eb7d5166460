package io.braid.cli.hbase;

import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.core.data.Bytes;
import io.braid.view.ByteText;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "move",
    description = "Moves the region that holds a key of a table to another region server.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = "  braid dev-cluster move accounts bob rs2")
final class MoveCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  String table = "";

  @Parameters(index = "1", paramLabel = "KEY", description = "A key in the region.")
  String key = "";

  @Parameters(index = "2", paramLabel = "SERVER", description = "rs1, rs2, ...")
  String server = "";

  @Mixin ClusterOptions cluster = new ClusterOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    ClusterHome home = cluster.existing();
    ClusterProcess to = home.named(server);
    Bytes at = ByteText.parse(key);
    try (ClusterAdmin admin = ClusterAdmin.connect(home)) {
      admin.move(table, at, to);
    }
    output.print(
        Map.of("table", table, "key", key, "server", server),
        "The region of " + key + " in table " + table + " is on " + server + " now.");
    return ExitCode.DONE;
  }
}
