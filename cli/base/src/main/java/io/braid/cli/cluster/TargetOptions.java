package io.braid.cli.cluster;

import io.braid.cli.command.UsageException;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.net.HttpNode;
import io.braid.serving.rebalance.Rebalance;
import io.braid.serving.rebalance.RingPlanner;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Topology;
import io.braid.serving.ring.TopologyText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The ring that a rebalancing is to bring about, and the nodes that it asks. */
final class TargetOptions {
  @Option(
      names = "--add",
      split = ",",
      paramLabel = "NODE",
      description =
          "Nodes that join, http://HOST:PORT; they get their share unless --move says so.")
  List<String> add = List.of();

  @Option(
      names = "--zone",
      paramLabel = "N",
      description = "The zone of those that join (default: ${DEFAULT-VALUE}).")
  int zone;

  @Option(
      names = "--remove",
      split = ",",
      paramLabel = "ID",
      description = "Nodes that leave, by their numbers.")
  List<Integer> remove = List.of();

  @Option(
      names = "--move",
      paramLabel = "P,...=ID",
      description = "Gives partitions to a node, as 3,7=2.")
  Map<String, Integer> move = Map.of();

  @Option(
      names = "--target",
      paramLabel = "FILE",
      description = "The topology that is wanted, as 'cluster show --json' prints one.")
  @Nullable Path target;

  @Mixin ClusterOptions cluster = new ClusterOptions();

  /** The ring that is wanted. */
  Ring ring(Topology topology) throws IOException {
    Ring current = topology.ring();
    if (target != null) {
      if (!add.isEmpty() || !remove.isEmpty() || !move.isEmpty()) {
        throw new UsageException("--target says all; leave --add, --remove and --move out.");
      }
      return TopologyText.decode(Files.readString(target)).ring();
    }
    if (add.isEmpty() && remove.isEmpty() && move.isEmpty()) {
      throw new UsageException("Say what is to change: --add, --remove, --move or --target.");
    }
    List<Node> fresh = fresh(current);
    Ring wanted = move.isEmpty() ? RingPlanner.adding(current, fresh) : with(current, fresh);
    for (Map.Entry<String, Integer> moved : move.entrySet()) {
      List<Integer> partitions = new ArrayList<>();
      for (String partition : moved.getKey().split(",", -1)) {
        partitions.add(partition(partition, current));
      }
      wanted = wanted.moved(partitions, wanted.node(moved.getValue()));
    }
    return remove.isEmpty() ? wanted : RingPlanner.removing(wanted, new TreeSet<>(remove));
  }

  private static int partition(String text, Ring ring) {
    if (!text.matches("\\d{1,5}") || Integer.parseInt(text) >= ring.partitions()) {
      throw new UsageException(
          "'" + text + "' is no partition: there are 0 to " + (ring.partitions() - 1) + ".");
    }
    return Integer.parseInt(text);
  }

  private static Ring with(Ring ring, List<Node> fresh) {
    Ring wanted = ring;
    for (Node node : fresh) {
      wanted = wanted.moved(List.of(), node);
    }
    return wanted;
  }

  /**
   * Returns the joining nodes. They get the next numbers; a node that has joined already keeps its
   * own.
   */
  private List<Node> fresh(Ring ring) {
    List<Node> fresh = new ArrayList<>();
    int next = ring.nodes().stream().mapToInt(Node::id).max().orElse(-1) + 1;
    for (String address : add) {
      String known = ClusterOptions.address(address);
      Node member = null;
      for (Node node : ring.nodes()) {
        member = node.address().equals(known) ? node : member;
      }
      fresh.add(member == null ? new Node(next++, zone, known) : member);
    }
    return fresh;
  }

  /** Returns a rebalancing of all nodes of one ring or another. */
  Rebalance rebalance(String run, Ring from, Ring to, Rebalance.Watcher watcher)
      throws IOException {
    Map<Integer, Node> nodes = new TreeMap<>();
    from.nodes().forEach(node -> nodes.put(node.id(), node));
    to.nodes().forEach(node -> nodes.put(node.id(), node));
    return rebalance(run, List.copyOf(nodes.values()), cluster, watcher);
  }

  static Rebalance rebalance(
      String run, List<Node> nodes, ClusterOptions cluster, Rebalance.Watcher watcher)
      throws IOException {
    Map<Integer, HttpNode> asked = new LinkedHashMap<>();
    for (Node node : nodes) {
      asked.put(node.id(), new HttpNode(node.id(), node.address(), cluster.token()));
    }
    return new Rebalance(new SystemSeams(), run, List.copyOf(asked.values()), watcher);
  }
}
