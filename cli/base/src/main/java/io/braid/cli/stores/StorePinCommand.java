package io.braid.cli.stores;

import io.braid.cli.cluster.NodeOptions;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.serving.StoreNames;
import io.braid.serving.node.NodeDirectory;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Keeps a version. */
@Command(
    name = "pin",
    description = "Keeps a version from being deleted, or lets it go again.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid store pin people 6 --node /var/lib/node",
      "  braid store pin people 6 --off --cluster http://127.0.0.1:7811"
    })
final class StorePinCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "STORE", description = "The store.")
  String store = "";

  @Parameters(index = "1", paramLabel = "N", description = "The version.")
  String version = "";

  @Option(names = "--off", description = "Take the pin off.")
  boolean off;

  @Mixin NodeOptions node = new NodeOptions();
  @Mixin RemoteOptions remote = new RemoteOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    long number = StoreNames.version(version);
    if (remote.isRemote()) {
      return remote.all(
          output,
          asked -> {
            asked.pin(store, number, !off);
            print(number);
          });
    }
    try (NodeDirectory directory = node.own()) {
      directory.store(store).pin(number, !off);
      print(number);
    }
    return ExitCode.DONE;
  }

  private void print(long number) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("store", store);
    object.put("version", number);
    object.put("pinned", !off);
    output.print(
        object, "Version " + number + " of " + store + (off ? " has no pin." : " is pinned."));
  }
}
