package io.braid.cli;

import io.braid.core.runtime.SystemSeams;
import io.braid.serving.StoreNames;
import io.braid.serving.net.HttpNode;
import io.braid.serving.push.Push;
import io.braid.serving.push.PushNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Brings a version to several nodes. */
@Command(
    name = "push",
    description =
        "Has nodes fetch what was built for them, and when all of them are ready, swap it in: on"
            + " all of them or on none.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid store push people --from /tmp/people --to http://127.0.0.1:7801",
      "  braid store push people --from http://files:8000/people \\",
      "      --to http://one:7801,http://two:7801 --token-file token"
    })
final class StorePushCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "STORE", description = "The store.")
  String store = "";

  @Option(
      names = "--from",
      required = true,
      paramLabel = "WHERE",
      description = "What was built: a directory that the nodes can read, or its http address.")
  String from = "";

  @Option(
      names = "--to",
      required = true,
      split = ",",
      paramLabel = "NODE",
      description =
          "The nodes, http://HOST:PORT, in the order of their folders node-0, node-1, ...")
  List<String> to = List.of();

  @Option(names = "--number", paramLabel = "N", description = "The version (default: the next).")
  @Nullable String number;

  @Option(names = "--force", description = "Also when it has suspiciously few keys.")
  boolean force;

  @Option(names = "--token-file", paramLabel = "FILE", description = "The token of the nodes.")
  @Nullable Path tokenFile;

  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    StoreNames.store(store);
    String token = tokenFile == null ? "" : Files.readString(tokenFile).strip();
    List<PushNode> nodes = new ArrayList<>();
    to.forEach(address -> nodes.add(new HttpNode(address, token)));
    boolean http = from.startsWith("http://") || from.startsWith("https://");
    String base = http ? from : Path.of(from).toAbsolutePath().normalize().toString();
    try (Progress progress = new Progress(output.err())) {
      Push push =
          new Push(
              new SystemSeams(),
              nodes,
              store,
              force,
              (step, done, total) -> progress.show(step, done, Math.max(done, total), ""));
      long version =
          push.run(node -> base + "/node-" + node, number == null ? 0 : StoreNames.version(number));
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("store", store);
      object.put("live", version);
      object.put("nodes", to.size());
      output.print(
          object, "Version " + version + " of " + store + " is live on " + to.size() + " node(s).");
      return ExitCode.DONE;
    }
  }
}
