package io.braid.cli.stores;

import io.braid.cli.cluster.NodeOptions;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.UsageException;
import io.braid.serving.node.NodeDirectory;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Limits a store. */
@Command(
    name = "quota",
    description = "Limits the bytes that all versions of a store have on a node; 0: no limit.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid store quota people 10000000000 --node /var/lib/node",
      "  braid store quota people 10000000000 --cluster http://127.0.0.1:7811"
    })
final class StoreQuotaCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "STORE", description = "The store.")
  String store = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "BYTES",
      description = "The limit (default: print the one there is).")
  @Nullable Long bytes;

  @Mixin NodeOptions node = new NodeOptions();
  @Mixin RemoteOptions remote = new RemoteOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    if (bytes != null && bytes < 0) {
      throw new UsageException("A quota is a number of bytes, or 0 for none.");
    }
    if (remote.isRemote()) {
      return remote.all(
          output,
          asked -> {
            if (bytes != null) {
              asked.limit(store, bytes);
            }
            print(asked.name(), asked.versions(store).path("quota").asLong());
          });
    }
    try (NodeDirectory directory = bytes == null ? node.look() : node.own()) {
      if (bytes != null) {
        directory.store(store).limit(bytes);
      }
      print(node.node.toString(), directory.store(store).quota());
    }
    return ExitCode.DONE;
  }

  private void print(String where, long quota) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("store", store);
    object.put("node", where);
    object.put("quota", quota);
    output.print(
        object, where + ": " + (quota == 0 ? "no quota" : String.format("%,d bytes", quota)));
  }
}
