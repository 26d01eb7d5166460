package io.braid.cli.cluster;

import io.braid.cli.command.ExitCode;
import io.braid.cli.command.Failures;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.UsageException;
import io.braid.serving.net.HttpNode;
import io.braid.serving.rebalance.NodeStores;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import io.braid.serving.writable.TupleRefill;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Sends the topology to nodes that were away, or have lost it. */
@Command(
    name = "tell",
    description = {
      "Tells the topology to nodes that do not know it: that were away when it changed, or came back"
          + " without their directory.",
      "Of the latter each is refilled from the other replicas before it answers for read-write"
          + " stores. The others must all be there: they hear of it first, so that no write counts what"
          + " was stored at the lost node before."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = "  braid cluster tell --cluster http://127.0.0.1:7811")
final class ClusterTellCommand implements Callable<Integer> {
  @Mixin ClusterOptions cluster = new ClusterOptions();
  @Mixin OutputOptions output = new OutputOptions();

  private final List<Integer> told = new ArrayList<>();
  private final List<Integer> refilled = new ArrayList<>();
  private final List<String> missed = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    Topology topology = cluster.topology().writableOnly();
    Map<Node, NodeStores> there = ask(topology);
    for (Topology newest = newest(topology, there);
        newest.version() > topology.version();
        newest = newest(topology, there)) {
      topology = newest;
      there = ask(topology);
    }
    requireNoMove(there);
    List<Node> lost = new ArrayList<>();
    for (Map.Entry<Node, NodeStores> each : there.entrySet()) {
      if (each.getValue().topologyVersion() == 0 && keeps(topology, each.getKey())) {
        lost.add(each.getKey());
      }
    }
    if (lost.isEmpty()) {
      tell(there, List.of(), topology);
    } else {
      refill(there, lost, topology);
    }
    return told();
  }

  private Map<Node, NodeStores> ask(Topology topology) throws IOException {
    missed.clear();
    Map<Node, NodeStores> there = new LinkedHashMap<>();
    for (Node node : topology.ring().nodes()) {
      try {
        there.put(node, cluster.node(node.address()).inventory());
      } catch (IOException e) {
        missed.add(node.address() + " (" + Failures.text(e) + ")");
      }
    }
    return there;
  }

  private static Topology newest(Topology topology, Map<Node, NodeStores> there) {
    Topology newest = topology;
    for (NodeStores each : there.values()) {
      Topology known = each.topology().orElse(newest);
      newest = known.version() > newest.version() ? known : newest;
    }
    return newest;
  }

  private static void requireNoMove(Map<Node, NodeStores> there) {
    if (there.values().stream().anyMatch(each -> each.move().isPresent())) {
      throw new UsageException(
          "Partitions are moving: end that first, with 'braid rebalance run' or 'braid rebalance"
              + " abort'; if a node lost its directory meanwhile, with 'braid rebalance abort"
              + " --without' that node.");
    }
  }

  private static boolean keeps(Topology topology, Node node) {
    for (StoreDefinition store : topology.stores().values()) {
      if (TupleRefill.concerns(topology, node.id(), store)) {
        return true;
      }
    }
    return false;
  }

  private void tell(Map<Node, NodeStores> there, List<Node> but, Topology topology)
      throws IOException {
    for (Map.Entry<Node, NodeStores> each : there.entrySet()) {
      Node node = each.getKey();
      if (!but.contains(node) && each.getValue().topologyVersion() < topology.version()) {
        cluster.node(node.address()).join(node.id(), topology);
        told.add(node.id());
      }
    }
  }

  /** A new ring for all others first, so that none takes a write that went by the old one. */
  private void refill(Map<Node, NodeStores> there, List<Node> lost, Topology topology)
      throws IOException {
    if (!missed.isEmpty()) {
      return;
    }
    Topology next = topology.with(topology.ring());
    tell(there, lost, next);
    for (Node node : lost) {
      HttpNode at = cluster.node(node.address());
      at.refill(node.id(), next);
      refilled.add(node.id());
    }
  }

  private int told() {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("told", told);
    object.put("refilled", refilled);
    object.put("missed", missed);
    if (told.isEmpty() && refilled.isEmpty() && missed.isEmpty()) {
      output.print(object, "All nodes know the topology.");
    } else {
      output.print(object, "Told to nodes " + told + ".");
    }
    if (!output.json() && !refilled.isEmpty()) {
      output.print(
          Map.of(),
          "Nodes "
              + refilled
              + " lost what they had: they answer for read-write stores when they are refilled.");
    }
    if (!missed.isEmpty()) {
      missed.forEach(each -> output.err().println("braid: not told: " + each));
      output.err().println("braid: start what does not answer, and run this again.");
      return ExitCode.UNAVAILABLE;
    }
    return ExitCode.DONE;
  }
}
