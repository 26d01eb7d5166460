package io.braid.cli;

import io.braid.serving.client.StoreUnavailableException;
import io.braid.serving.net.HttpImportNode;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import io.braid.serving.writable.ImportState;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
      output.err().println("braid: the cluster has no read-write store '" + store + "'.");
      return ExitCode.FAILED;
    }
    requireAll(topology);
    // Nobody takes or shows any more what was written before (StoreDefinition.life).
    List<String> missed =
        cluster.tell(
            truncate
                ? topology.writableOnly().with(there.begun(topology.version() + 1))
                : topology.writableOnly().without(store));
    output.print(
        Map.of("store", store, "truncated", truncate, "missed", missed),
        (truncate ? "Emptied " : "Removed ") + store + ".");
    return StoreText.missed(output, missed);
  }

  /** Refuses before anything is changed when a node is away, or an import runs. */
  private void requireAll(Topology topology) {
    for (Node node : topology.ring().nodes()) {
      Optional<ImportState> running;
      try {
        running = new HttpImportNode(node, cluster.token()).state(store);
      } catch (IOException | RuntimeException e) {
        throw new StoreUnavailableException(
            "All nodes must take part, and node "
                + node.id()
                + " does not: "
                + Failures.text(e)
                + " Nothing was changed. Start it, or tell it the cluster (braid cluster tell), and"
                + " try again.");
      }
      if (running.filter(ImportState::isRunning).isPresent()) {
        throw new StoreUnavailableException(
            "Import "
                + running.get().id()
                + " of store "
                + store
                + " has not ended. Nothing was changed. Go on with it, or give it up: 'braid store"
                + " import "
                + store
                + " --id "
                + running.get().id()
                + " --abort'.");
      }
    }
  }
}
