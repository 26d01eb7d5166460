package io.braid.cli.hbase;

import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "kill",
    description = "Kills a process of the cluster (SIGKILL); 'start' brings it back.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {"  braid dev-cluster kill rs1", "  braid dev-cluster start"})
final class KillCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "PROCESS",
      description = "zookeeper, namenode, datanode, master, rs1, rs2, ...")
  String process = "";

  @Mixin ClusterOptions cluster = new ClusterOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    cluster.existing().named(process).signal("KILL");
    output.print(Map.of("killed", process), "Killed " + process + ".");
    return ExitCode.DONE;
  }
}
