package io.braid.cli.stores;

import io.braid.cli.cluster.ClusterOptions;
import io.braid.cli.cluster.NodeOptions;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.core.data.Bytes;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.chunk.Search;
import io.braid.serving.client.StoreClient;
import io.braid.serving.client.Values;
import io.braid.serving.net.HttpNodes;
import io.braid.serving.net.HttpReplicas;
import io.braid.serving.node.Lease;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.node.ServedStore;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.writable.WritableStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reads keys, from a directory or from a cluster. */
@Command(
    name = "get",
    description =
        "Prints the values of keys in the live version, all of one version: from the directory of a"
            + " node, or from a cluster, with --nodes.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid store get people 17 18 --node /var/lib/node",
      "  braid store get people 17 18 --nodes http://127.0.0.1:7811"
    })
final class StoreGetCommand implements Callable<Integer> {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  @Parameters(index = "0", paramLabel = "STORE", description = "The store.")
  String store = "";

  @Parameters(
      index = "1..*",
      paramLabel = "KEY",
      arity = "1..*",
      description = "The keys, as text.")
  List<String> keys = List.of();

  @Option(
      names = "--nodes",
      split = ",",
      paramLabel = "NODE",
      description = "Nodes of a cluster to bootstrap from, http://HOST:PORT; one must answer.")
  List<String> nodes = List.of();

  @Option(
      names = "--zone",
      paramLabel = "N",
      description = "The zone of the cluster that is near (default: ${DEFAULT-VALUE}).")
  int zone;

  @Mixin NodeOptions node = new NodeOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    List<Bytes> asked = keys.stream().map(Bytes::of).toList();
    Values values = nodes.isEmpty() ? local(asked) : remote(asked);
    int missing = 0;
    for (int i = 0; i < keys.size(); i++) {
      Optional<Bytes> value = values.values().get(i);
      if (value.isEmpty()) {
        missing++;
        output.refused(
            ErrorCode.NO_SUCH_KEY, "store " + store + " has no key '" + keys.get(i) + "'.");
      } else {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("key", keys.get(i));
        object.put("value", value.get().toUtf8());
        object.put("version", values.version());
        output.print(object, value.get().toUtf8());
      }
    }
    return missing == 0 ? ExitCode.DONE : ExitCode.FAILED;
  }

  private Values local(List<Bytes> asked) throws IOException {
    try (NodeDirectory directory = node.look();
        ServedStore served = ServedStore.open(directory.store(store), Search.BINARY);
        Lease lease = served.lease()) {
      List<Optional<Bytes>> values = new ArrayList<>();
      asked.forEach(key -> values.add(lease.get(key)));
      return new Values(lease.version(), lease.schema(), values);
    }
  }

  private Values remote(List<Bytes> asked) {
    List<String> addresses = nodes.stream().map(ClusterOptions::address).toList();
    SystemSeams seams = new SystemSeams();
    StoreClient client = new StoreClient(seams, new HttpNodes(TIMEOUT), addresses, zone);
    StoreDefinition definition = client.topology().store(store);
    if (definition == null || !definition.writable()) {
      return client.read(store, asked);
    }
    WritableStore writable =
        new WritableStore(seams, new HttpReplicas(TIMEOUT, ""), client, store, zone);
    return new Values(0, 0, asked.stream().map(writable::get).toList());
  }
}
