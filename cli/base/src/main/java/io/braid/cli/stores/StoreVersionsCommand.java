package io.braid.cli.stores;

import com.fasterxml.jackson.databind.JsonNode;
import io.braid.cli.cluster.NodeOptions;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.node.VersionInfo;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lists versions. */
@Command(
    name = "versions",
    description = "Lists the versions of a store on the node.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid store versions people --node /var/lib/node",
      "  braid store versions people --cluster http://127.0.0.1:7811"
    })
final class StoreVersionsCommand implements Callable<Integer> {
  @Parameters(paramLabel = "STORE", description = "The store.")
  String store = "";

  @Mixin NodeOptions node = new NodeOptions();
  @Mixin RemoteOptions remote = new RemoteOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    if (remote.isRemote()) {
      return remote.all(
          output,
          asked -> {
            for (JsonNode info : asked.versions(store).path("versions")) {
              print(asked.name(), info);
            }
          });
    }
    try (NodeDirectory directory = node.look()) {
      List<VersionInfo> versions = directory.store(store).versions();
      versions.forEach(info -> StoreText.print(output, info));
      if (versions.isEmpty()) {
        output.nothing("store " + store + " has no versions in " + node.node + ".");
      }
    }
    return ExitCode.DONE;
  }

  private void print(String where, JsonNode info) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("node", where);
    info.fields().forEachRemaining(field -> object.put(field.getKey(), field.getValue()));
    output.print(
        object,
        String.format(
            Locale.ROOT,
            "%s  %d  %s%s  %,d keys",
            where,
            info.path("version").asLong(),
            StoreText.state(info.path("state").asText(), info.path("problem").asText()),
            info.path("pinned").asBoolean() ? ", pinned" : "",
            info.path("keys").asLong()));
  }
}
