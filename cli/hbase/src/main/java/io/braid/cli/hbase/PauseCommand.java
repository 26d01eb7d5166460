package io.braid.cli.hbase;

import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.core.store.StoreException;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "pause",
    description =
        "Makes a process of the cluster stand still for a while (SIGSTOP, SIGCONT), as a long"
            + " garbage collection would.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = "  braid dev-cluster pause rs1 --seconds 15")
final class PauseCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "PROCESS",
      description = "zookeeper, namenode, datanode, master, rs1, rs2, ...")
  String process = "";

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long; sessions last 10 seconds (default: ${DEFAULT-VALUE}).")
  int seconds = 15;

  @Mixin ClusterOptions cluster = new ClusterOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    ClusterProcess paused = cluster.existing().named(process);
    paused.signal("STOP");
    try {
      TimeUnit.SECONDS.sleep(seconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("Interrupted; the process goes on.", e);
    } finally {
      paused.signal("CONT");
    }
    output.print(
        Map.of("paused", process, "seconds", seconds),
        process + " stood still for " + seconds + " s.");
    return ExitCode.DONE;
  }
}
