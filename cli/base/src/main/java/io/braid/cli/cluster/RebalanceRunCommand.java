package io.braid.cli.cluster;

import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.Progress;
import io.braid.serving.rebalance.Rebalance;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Topology;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Moves partitions. */
@Command(
    name = "run",
    description =
        "Moves partitions batch by batch until the ring is the one that is wanted. Run it again if"
            + " it broke off: it goes on where it was.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid rebalance run --cluster http://one:7811 --add http://four:7811",
      "  braid rebalance run --cluster http://one:7811 --move 3,7=2 --batch 2 --token-file token"
    })
final class RebalanceRunCommand implements Callable<Integer> {
  @Option(
      names = "--batch",
      paramLabel = "N",
      description = "Primary partitions that move together (default: ${DEFAULT-VALUE}).")
  int batch = 1;

  @Mixin TargetOptions target = new TargetOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    Topology topology = target.cluster.topology();
    Ring wanted = target.ring(topology);
    try (Progress progress = new Progress(output.err())) {
      Rebalance rebalance =
          target.rebalance(
              UUID.randomUUID().toString(),
              topology.ring(),
              wanted,
              (step, done, total) -> progress.show(step, done, Math.max(done, total), ""));
      rebalance.plan(wanted, batch).gaps().forEach(gap -> output.err().println("braid: " + gap));
      Topology last = rebalance.run(wanted, batch);
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("topology", last.version());
      object.put("nodes", last.ring().nodes().size());
      object.put("partitions", last.ring().partitions());
      output.print(
          object,
          "The ring is as it was wanted: topology "
              + last.version()
              + ", "
              + last.ring().nodes().size()
              + " nodes.");
      return ExitCode.DONE;
    }
  }
}
