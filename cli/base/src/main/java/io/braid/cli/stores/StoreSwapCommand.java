package io.braid.cli.stores;

import io.braid.cli.cluster.MibConverter;
import io.braid.cli.cluster.NodeOptions;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.UsageException;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.StoreNames;
import io.braid.serving.chunk.Search;
import io.braid.serving.files.Throttle;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.node.ServedStore;
import io.braid.serving.node.StoreVersions;
import io.braid.serving.push.Push;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a version live. */
@Command(
    name = "swap",
    description =
        "Makes a version live, after all its checksums were compared; keeps some old ones for a"
            + " rollback.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid store swap people --node /var/lib/node",
      "  braid store swap people 7 --cluster http://127.0.0.1:7811"
    })
final class StoreSwapCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "STORE", description = "The store.")
  String store = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "N",
      description = "The version (default: the highest that was not rolled back).")
  @Nullable String version;

  @Option(
      names = "--force",
      description = "Also when it has suspiciously few keys, or was rolled back.")
  boolean force;

  @Option(
      names = "--backups",
      paramLabel = "N",
      description = "Old versions to keep (default: ${DEFAULT-VALUE}).")
  int backups = 2;

  @Option(
      names = "--rate",
      paramLabel = "MIB",
      converter = MibConverter.class,
      description = "Read the version through at most so many MiB a second (default: no limit).")
  long rate;

  @Mixin NodeOptions node = new NodeOptions();
  @Mixin RemoteOptions remote = new RemoteOptions();
  @Mixin OutputOptions output = new OutputOptions();

  private static final long DELETE_RATE = 200L << 20;

  @Override
  public Integer call() throws IOException {
    if (remote.isRemote()) {
      return remoteSwap();
    }
    try (NodeDirectory directory = node.own();
        ServedStore served =
            ServedStore.open(
                directory.store(store),
                Search.BINARY,
                new Throttle(new SystemSeams(), rate << 20))) {
      StoreVersions versions = served.versions();
      long number = version == null ? versions.newest() : StoreNames.version(version);
      served.prepare(number, force);
      long begun = System.nanoTime();
      served.swap(number, force);
      double millis = (System.nanoTime() - begun) / 1e6;
      served.retire(backups);
      versions.trash().empty(DELETE_RATE, () -> false);
      StoreText.live(output, store, number, millis, "Swapped in");
    }
    return ExitCode.DONE;
  }

  /** Does the rest of a deferred push. */
  private int remoteSwap() throws IOException {
    if (version == null) {
      throw new UsageException("Name the version that a deferred push prepared.");
    }
    long number = StoreNames.version(version);
    Push.swapPrepared(new SystemSeams(), remote.nodes(), store, number, force);
    output.print(
        Map.of("store", store, "live", number), "Version " + number + " of " + store + " is live.");
    return ExitCode.DONE;
  }
}
