package io.braid.cli.cluster;

import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.serving.net.HttpNode;
import io.braid.serving.rebalance.NodeStores;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Topology;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows which nodes move partitions. */
@Command(
    name = "status",
    description =
        "Shows for each node its topology, and how far the move is that it takes part in.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = "  braid rebalance status --cluster http://one:7811")
final class RebalanceStatusCommand implements Callable<Integer> {
  @Mixin ClusterOptions cluster = new ClusterOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    Topology topology = cluster.topology();
    Map<Integer, Node> nodes = new LinkedHashMap<>();
    topology.ring().nodes().forEach(node -> nodes.put(node.id(), node));
    int silent = 0;
    for (int i = 0; i < nodes.size(); i++) {
      Node node = List.copyOf(nodes.values()).get(i);
      try {
        NodeStores has = new HttpNode(node.id(), node.address(), cluster.token()).inventory();
        has.move()
            .ifPresent(
                move ->
                    move.to()
                        .ring()
                        .nodes()
                        .forEach(other -> nodes.putIfAbsent(other.id(), other)));
        print(node, has);
      } catch (IOException e) {
        silent++;
        output.err().println("braid: node " + node.id() + " at " + node.address() + " is silent.");
      }
    }
    return silent == 0 ? ExitCode.DONE : ExitCode.UNAVAILABLE;
  }

  private void print(Node node, NodeStores has) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("node", node.id());
    object.put("address", node.address());
    object.put("topology", has.topologyVersion());
    String text = "node " + node.id() + "  topology " + has.topologyVersion();
    if (has.move().isPresent()) {
      NodeStores.Move move = has.move().get();
      object.put("move", move.id());
      object.put("from", move.from().version());
      object.put("to", move.to().version());
      object.put("prepared", move.prepared());
      object.put("copied", move.fetched());
      object.put("total", move.total());
      object.put("problem", move.problem());
      text +=
          String.format(
              Locale.ROOT,
              "  moving to %d: %s%s",
              move.to().version(),
              move.prepared()
                  ? "ready"
                  : String.format(Locale.ROOT, "%,d of %,d bytes", move.fetched(), move.total()),
              move.problem().isEmpty() ? "" : "  " + move.problem());
    }
    output.print(object, text);
  }
}
