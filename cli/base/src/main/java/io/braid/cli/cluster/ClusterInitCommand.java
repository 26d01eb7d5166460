package io.braid.cli.cluster;

import io.braid.cli.command.Amount;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.UsageException;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Topology;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes nodes a cluster. */
@Command(
    name = "init",
    description = {
      "Makes running nodes a cluster: the ring is cut into equal partitions, which the nodes own in"
          + " turn. Run it again when a node could not be told.",
      "Zones are given node by node; the zones nearest to one with --near."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid cluster init --nodes http://one:7811,http://two:7811 --partitions 12",
      "  braid cluster init --nodes http://a:7811,http://b:7811,http://c:7811,http://d:7811 \\",
      "      --partitions 16 --zones 0,0,1,1 --near 0=1 --near 1=0"
    })
final class ClusterInitCommand implements Callable<Integer> {
  @Option(
      names = "--nodes",
      required = true,
      split = ",",
      paramLabel = "NODE",
      description = "The nodes, http://HOST:PORT: number 0 first.")
  List<String> nodes = List.of();

  @Option(
      names = "--partitions",
      required = true,
      paramLabel = "N",
      description = "Partitions of the ring; they can be moved, but not be more later.")
  int partitions;

  @Option(
      names = "--zones",
      split = ",",
      paramLabel = "N",
      description = "The zone of each node (default: all in zone 0).")
  List<Integer> zones = List.of();

  @Option(
      names = "--near",
      paramLabel = "ZONE=ZONE+...",
      description = "The other zones as a zone sees them, the nearest first.")
  Map<Integer, String> near = Map.of();

  @Mixin ClusterOptions cluster = new ClusterOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    Topology topology = Topology.of(ring(), proximity());
    requireNew(topology);
    List<String> missed = cluster.tell(topology);
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("nodes", nodes.size());
    object.put("partitions", partitions);
    object.put("missed", missed);
    String ring = " a ring of " + Amount.of(partitions, "partition");
    output.print(
        object,
        missed.isEmpty()
            ? Amount.of(nodes.size(), "node") + (nodes.size() == 1 ? " has" : " share") + ring + "."
            : nodes.size() - missed.size() + " of " + nodes.size() + " nodes know of" + ring + ".");
    if (!missed.isEmpty()) {
      missed.forEach(each -> output.err().println("braid: not told: " + each));
      output.err().println("braid: start what does not answer, and run this again.");
      return ExitCode.UNAVAILABLE;
    }
    return ExitCode.DONE;
  }

  /**
   * Refuses nodes of another cluster. A node may know this same topology, when an earlier run did
   * not reach all nodes.
   */
  private void requireNew(Topology topology) throws IOException {
    for (Node node : topology.ring().nodes()) {
      Optional<Topology> known;
      try {
        known = cluster.node(node.address()).inventory().topology();
      } catch (IOException e) {
        continue;
      }
      if (known.filter(other -> !other.equals(topology)).isPresent()) {
        throw new UsageException(
            node.address()
                + " is in a cluster already, with version "
                + known.get().version()
                + " of its topology. Nodes that were away, or lost their directory, get it by 'braid"
                + " cluster tell'; others come in by 'braid rebalance run --add'.");
      }
    }
  }

  private Ring ring() {
    if (!zones.isEmpty() && zones.size() != nodes.size()) {
      throw new UsageException(
          "There are "
              + nodes.size()
              + " nodes and "
              + zones.size()
              + " zones: name one for each.");
    }
    if (nodes.size() > partitions) {
      throw new UsageException("There must be at least as many partitions as nodes.");
    }
    List<Node> all = new ArrayList<>();
    for (int id = 0; id < nodes.size(); id++) {
      int zone = zones.isEmpty() ? 0 : zones.get(id);
      all.add(new Node(id, zone, ClusterOptions.address(nodes.get(id))));
    }
    List<Integer> owners = new ArrayList<>();
    for (int partition = 0; partition < partitions; partition++) {
      owners.add(partition % nodes.size());
    }
    return Ring.of(all, owners);
  }

  private Map<Integer, List<Integer>> proximity() {
    Map<Integer, List<Integer>> proximity = new TreeMap<>();
    near.forEach(
        (zone, others) -> {
          List<Integer> order = new ArrayList<>();
          for (String other : others.split("\\+", -1)) {
            order.add(Integer.valueOf(other));
          }
          proximity.put(zone, order);
        });
    return proximity;
  }
}
