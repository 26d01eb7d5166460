package io.braid.cli.cluster;

import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.serving.rebalance.Batch;
import io.braid.serving.rebalance.RebalancePlan;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Topology;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows the partitions that a rebalancing would move. */
@Command(
    name = "plan",
    description =
        "Shows which chunks which node would get from which, batch by batch. Changes nothing.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid rebalance plan --cluster http://one:7811 --add http://four:7811",
      "  braid rebalance plan --cluster http://one:7811 --add http://four:7811 --move 3=3",
      "  braid rebalance plan --cluster http://one:7811 --remove 2 --batch 4 --json"
    })
final class RebalancePlanCommand implements Callable<Integer> {
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
    RebalancePlan plan =
        target
            .rebalance("plan", topology.ring(), wanted, (step, done, total) -> {})
            .plan(wanted, batch);
    int number = 0;
    for (Batch next : plan.batches()) {
      number++;
      if (!output.json()) {
        output.print(
            Map.of(),
            "batch "
                + number
                + ": partitions "
                + next.primaries()
                + ", topology "
                + next.to().version());
      }
      for (Batch.Theft theft : next.thefts()) {
        print(number, next, theft);
      }
    }
    plan.gaps().forEach(gap -> output.err().println("braid: " + gap));
    if (plan.batches().isEmpty()) {
      output.err().println("braid: nothing is to move.");
    }
    return ExitCode.DONE;
  }

  private void print(int number, Batch next, Batch.Theft theft) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("batch", number);
    object.put("partitions", next.primaries());
    object.put("topology", next.to().version());
    object.put("store", theft.store());
    object.put("version", theft.version());
    object.put("stealer", theft.stealer());
    object.put("donor", theft.donor());
    object.put("chunks", theft.buckets());
    object.put("bytes", theft.bytes());
    String what =
        theft.version() == 0 ? "tuples" : String.format(Locale.ROOT, "%,d bytes", theft.bytes());
    output.print(
        object,
        "  node "
            + theft.stealer()
            + " gets "
            + String.join(", ", theft.buckets())
            + " of "
            + theft.store()
            + (theft.version() == 0 ? "" : " version " + theft.version())
            + " from node "
            + theft.donor()
            + " ("
            + what
            + ")");
  }
}
