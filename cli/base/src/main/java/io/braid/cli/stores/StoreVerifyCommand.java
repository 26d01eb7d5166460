package io.braid.cli.stores;

import io.braid.cli.cluster.NodeOptions;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.core.failure.ErrorCode;
import io.braid.serving.StoreNames;
import io.braid.serving.build.Manifest;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.node.StoreVersions;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Checks a version. */
@Command(
    name = "verify",
    description = "Reads a version through and compares all checksums.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid store verify people --node /var/lib/node",
      "  braid store verify people 6 --node /var/lib/node"
    })
final class StoreVerifyCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "STORE", description = "The store.")
  String store = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "N",
      description = "The version (default: the live one).")
  @Nullable String version;

  @Mixin NodeOptions node = new NodeOptions();

  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    try (NodeDirectory directory = node.look()) {
      StoreVersions versions = directory.store(store);
      long number = version == null ? versions.live() : StoreNames.version(version);
      if (number == 0) {
        return output.refused(
            ErrorCode.NOTHING_LIVE, "store " + store + " has no live version; name one.");
      }
      Manifest manifest = versions.verify(number);
      versions.verifyLookups(number);
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("store", store);
      object.put("version", number);
      object.put("records", manifest.records());
      object.put("checksum", manifest.checksum());
      output.print(
          object,
          String.format(
              Locale.ROOT,
              "Version %d of %s is right: %,d tuples, all files and lookups.",
              number,
              store,
              manifest.records()));
    }
    return ExitCode.DONE;
  }
}
