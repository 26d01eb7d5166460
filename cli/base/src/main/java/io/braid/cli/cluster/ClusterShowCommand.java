package io.braid.cli.cluster;

import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import io.braid.serving.ring.TopologyText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows the data that a bootstrapping client gets. */
@Command(
    name = "show",
    description = "Shows the nodes of a cluster, their partitions, and the stores.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = "  braid cluster show --cluster http://127.0.0.1:7811")
final class ClusterShowCommand implements Callable<Integer> {
  @Mixin ClusterOptions cluster = new ClusterOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    Topology topology = cluster.topology();
    if (output.json()) {
      output.out().println(TopologyText.encode(topology));
      output.out().flush();
      return ExitCode.DONE;
    }
    output.print(Map.of(), "Topology version " + topology.version());
    for (Node node : topology.ring().nodes()) {
      List<Integer> owned = new ArrayList<>();
      for (int partition = 0; partition < topology.ring().partitions(); partition++) {
        if (topology.ring().owner(partition).id() == node.id()) {
          owned.add(partition);
        }
      }
      output.print(
          Map.of(),
          "node "
              + node.id()
              + "  zone "
              + node.zone()
              + "  "
              + node.address()
              + "  owns "
              + owned);
    }
    for (StoreDefinition store : new TreeMap<>(topology.stores()).values()) {
      output.print(
          Map.of(),
          "store "
              + store.store()
              + "  "
              + store.replicas()
              + " replicas"
              + (store.byZone().isEmpty() ? "" : " by zone " + new TreeMap<>(store.byZone()))
              + (store.writable() ? ", read-write" : ""));
    }
    return ExitCode.DONE;
  }
}
