package io.braid.cli;

import io.braid.serving.net.HttpReplicas;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

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
    // Whoever writes from now on counts from a number that no clock of before has.
    Topology changed =
        truncate
            ? topology.writableOnly().with(there.begun(topology.version() + 1))
            : topology.writableOnly().without(store);
    List<String> missed = truncate ? cluster.tell(changed) : List.of();
    HttpReplicas replicas = new HttpReplicas(TIMEOUT, cluster.token());
    for (Node node : topology.ring().nodes()) {
      replicas.truncate(node, store);
    }
    if (!truncate) {
      missed = cluster.tell(changed);
    }
    output.print(
        Map.of("store", store, "truncated", truncate, "missed", missed),
        (truncate ? "Emptied " : "Removed ") + store + ".");
    return StoreText.missed(output, missed);
  }
}
