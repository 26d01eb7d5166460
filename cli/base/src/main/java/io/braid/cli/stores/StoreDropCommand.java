package io.braid.cli.stores;

import io.braid.cli.cluster.ClusterOptions;
import io.braid.cli.command.Failures;
import io.braid.cli.command.OutputOptions;
import io.braid.core.failure.ErrorCode;
import io.braid.serving.client.StoreUnavailableException;
import io.braid.serving.net.HttpImportNode;
import io.braid.serving.net.HttpNode;
import io.braid.serving.rebalance.NodeStores;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import io.braid.serving.writable.imports.ImportState;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Empties a read-write store, or removes it. */
@Command(
    name = "drop",
    description = "Takes all tuples of a read-write store away, and the store, unless --truncate.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid store drop carts --cluster http://127.0.0.1:7811",
      "  braid store drop carts --truncate --cluster http://127.0.0.1:7811"
    })
final class StoreDropCommand implements Callable<Integer> {
  /** The time for which no partitions begin to move. */
  private static final Duration LEASE = Duration.ofMinutes(1);

  @Parameters(index = "0", paramLabel = "STORE", description = "The store.")
  String store = "";

  @Option(names = "--truncate", description = "Keep the store, empty.")
  boolean truncate;

  @Mixin ClusterOptions cluster = new ClusterOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    Topology topology = cluster.topology();
    StoreDefinition there = topology.store(store);
    if (there == null || !there.writable()) {
      return output.refused(
          ErrorCode.NO_SUCH_STORE, "the cluster has no read-write store '" + store + "'.");
    }
    String run = "drop-" + UUID.randomUUID();
    List<String> missed;
    try {
      for (Node node : topology.ring().nodes()) {
        require(node, topology.version(), run);
      }
      // No node takes or shows earlier writes any more (StoreDefinition.life).
      missed =
          cluster.tellAny(
              truncate
                  ? topology.writableOnly().with(there.begun(topology.version() + 1))
                  : topology.writableOnly().without(store));
    } finally {
      release(topology, run);
    }
    output.print(
        Map.of("store", store, "truncated", truncate, "missed", missed),
        (truncate ? "Emptied " : "Removed ") + store + ".");
    return StoreText.missed(output, missed);
  }

  /** Refuses before anything is changed: no node may be away, and nothing else under way. */
  private void require(Node node, long version, String run) {
    Optional<ImportState> last;
    NodeStores there;
    try {
      HttpNode asked = cluster.node(node.address());
      asked.leaseCluster(run, LEASE);
      there = asked.inventory();
      last = new HttpImportNode(node, cluster.token()).state(store);
    } catch (IOException | RuntimeException e) {
      throw unchanged(
          "All nodes must take part, and node "
              + node.id()
              + " does not: "
              + Failures.text(e)
              + " Start it, or tell it the cluster (braid cluster tell).");
    }
    if (there.move().isPresent()) {
      throw unchanged(
          "Partitions are moving. Wait for the end of that, or end it with 'braid rebalance run' or"
              + " 'braid rebalance abort'.");
    }
    if (there.topology().map(Topology::version).orElse(0L) != version) {
      throw unchanged(
          "Node " + node.id() + " knows another topology: tell all the same (braid cluster tell).");
    }
    if (last.isPresent() && last.get().isRunning()) {
      String id = last.get().id();
      throw unchanged(
          "Import "
              + id
              + " of store "
              + store
              + " has not ended. Go on with it, or give it up: 'braid store import "
              + store
              + " --id "
              + id
              + " --abort'.");
    }
  }

  private static StoreUnavailableException unchanged(String why) {
    return new StoreUnavailableException("Nothing was changed. " + why);
  }

  private void release(Topology topology, String run) {
    for (Node node : topology.ring().nodes()) {
      try {
        cluster.node(node.address()).releaseCluster(run);
      } catch (IOException | RuntimeException e) {
        // The lease ends by itself.
        continue;
      }
    }
  }
}
