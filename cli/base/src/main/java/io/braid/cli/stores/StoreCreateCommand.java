package io.braid.cli.stores;

import io.braid.cli.cluster.ClusterOptions;
import io.braid.cli.command.Amount;
import io.braid.cli.command.OutputOptions;
import io.braid.core.failure.ErrorCode;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a read-write store. */
@Command(
    name = "create",
    description =
        "Makes a read-write store in a cluster; served read-only stores come into being by a push.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid store create carts --cluster http://127.0.0.1:7811 --replicas 3 \\",
      "      --required-reads 2 --required-writes 2"
    })
final class StoreCreateCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "STORE", description = "The store.")
  String store = "";

  @Option(
      names = "--replicas",
      paramLabel = "N",
      description = "Nodes that hold each tuple (default: ${DEFAULT-VALUE}).")
  int replicas = 1;

  @Option(
      names = "--zone-replicas",
      split = ",",
      paramLabel = "ZONE=N",
      description = "So many of them in each zone.")
  Map<Integer, Integer> zoneReplicas = Map.of();

  @Option(
      names = "--required-reads",
      paramLabel = "N",
      description = "Replicas that must answer a get (default: ${DEFAULT-VALUE}).")
  int reads = 1;

  @Option(
      names = "--required-writes",
      paramLabel = "N",
      description = "Replicas that must have stored a put (default: ${DEFAULT-VALUE}).")
  int writes = 1;

  @Mixin ClusterOptions cluster = new ClusterOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    Topology topology = cluster.topology();
    StoreDefinition fresh = StoreDefinition.readWrite(store, replicas, zoneReplicas, reads, writes);
    fresh.routing(topology.ring());
    StoreDefinition there = topology.store(store);
    if (there != null) {
      return output.refused(
          ErrorCode.NAME_TAKEN, "the cluster has a store '" + store + "' already.");
    }
    long life = topology.version() + 1;
    List<String> missed = cluster.tellAny(topology.writableOnly().with(fresh.begun(life)));
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("store", store);
    object.put("replicas", replicas);
    object.put("missed", missed);
    output.print(object, "Made store " + store + " with " + Amount.of(replicas, "replica") + ".");
    return StoreText.missed(output, missed);
  }
}
