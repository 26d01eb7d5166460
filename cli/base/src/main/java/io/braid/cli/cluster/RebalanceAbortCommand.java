package io.braid.cli.cluster;

import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.serving.net.HttpNode;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Topology;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Gives up a move that was begun. */
@Command(
    name = "abort",
    description =
        "Gives up the batch that is under way, of a run that broke off: data and topology become"
            + " what they were before it. Batches that are done stay done.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid rebalance abort --cluster http://one:7811",
      "  braid rebalance abort --cluster http://one:7811 --without http://four:7811"
    })
final class RebalanceAbortCommand implements Callable<Integer> {
  @Option(
      names = "--without",
      split = ",",
      paramLabel = "NODE",
      description =
          "Nodes that are dead for good, and are not waited for. Clear their directories before"
              + " they are started again.")
  List<String> without = List.of();

  @Mixin ClusterOptions cluster = new ClusterOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    Topology topology = cluster.topology();
    List<String> dead = without.stream().map(ClusterOptions::address).toList();
    Map<Integer, Node> nodes = new LinkedHashMap<>();
    for (Node node : topology.ring().nodes()) {
      if (!dead.contains(node.address())) {
        nodes.put(node.id(), node);
        new HttpNode(node.id(), node.address(), cluster.token())
            .inventory()
            .move()
            .ifPresent(
                move ->
                    move.to().ring().nodes().stream()
                        .filter(other -> !dead.contains(other.address()))
                        .forEach(other -> nodes.putIfAbsent(other.id(), other)));
      }
    }
    boolean aborted =
        TargetOptions.rebalance(
                UUID.randomUUID().toString(),
                new ArrayList<>(nodes.values()),
                cluster,
                (step, done, total) -> {})
            .abort();
    output.print(
        Map.of("aborted", aborted),
        aborted
            ? "The batch was given up: data and topology are what they were before it."
            : "No partitions are moving.");
    return ExitCode.DONE;
  }
}
