package io.braid.cli.stores;

import io.braid.cli.cluster.MibConverter;
import io.braid.cli.cluster.NodeOptions;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.StoreNames;
import io.braid.serving.build.Manifest;
import io.braid.serving.fetch.Fetch;
import io.braid.serving.files.Throttle;
import io.braid.serving.net.Sources;
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
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Copies a version to a node. */
@Command(
    name = "fetch",
    description =
        "Copies a version into the directory of the node, with all checksums compared. It is not"
            + " live before it is swapped in.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = "  braid store fetch people /tmp/people/node-0 --rate 50")
final class StoreFetchCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "STORE", description = "The store.")
  String store = "";

  @Parameters(
      index = "1",
      paramLabel = "FOLDER",
      description =
          "What was built for a node: a directory, or an address: http, or what Hadoop's client reads, as"
              + " hdfs, if it is on the class path.")
  String folder = "";

  @Option(names = "--number", paramLabel = "N", description = "Its version (default: the next).")
  @Nullable String version;

  @Option(
      names = "--rate",
      paramLabel = "MIB",
      converter = MibConverter.class,
      description = "At most so many MiB a second.")
  long rate;

  @Mixin NodeOptions node = new NodeOptions();

  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    try (NodeDirectory directory = node.own()) {
      StoreVersions versions = directory.store(store);
      long number = version == null ? versions.next() : StoreNames.version(version);
      SystemSeams seams = new SystemSeams();
      Fetch fetch =
          new Fetch(
              seams, versions, Sources.of(folder), number, new Throttle(seams, rate << 20), 2);
      Manifest manifest = fetch.run();
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("store", store);
      object.put("version", number);
      object.put("keys", manifest.keys());
      object.put("bytes", manifest.bytes());
      object.put("base", fetch.base());
      object.put("spared", fetch.spared());
      output.print(
          object,
          String.format(
              Locale.ROOT,
              "Fetched version %d of %s: %,d keys, %,d bytes. It is not live yet.",
              number,
              store,
              manifest.keys(),
              manifest.bytes()));
    }
    return ExitCode.DONE;
  }
}
