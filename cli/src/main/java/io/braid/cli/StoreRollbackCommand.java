package io.braid.cli;

import io.braid.serving.StoreNames;
import io.braid.serving.chunk.Search;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.node.Seen;
import io.braid.serving.node.ServedStore;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Goes back to an earlier version. */
@Command(
    name = "rollback",
    description = "Goes back to a version that was live before.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  braid store rollback people --node /var/lib/node",
      "  braid store rollback people 6 --cluster http://127.0.0.1:7811"
    })
final class StoreRollbackCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "STORE", description = "The store.")
  String store = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "N",
      description = "The version (default: the last one).")
  @Nullable String version;

  @Mixin NodeOptions node = new NodeOptions();
  @Mixin RemoteOptions remote = new RemoteOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    if (remote.isRemote()) {
      long[] number = {version == null ? 0 : StoreNames.version(version)};
      long[] from = {0};
      int code =
          remote.all(
              output,
              asked -> {
                long begun = System.nanoTime();
                Seen seen = asked.seen(store);
                from[0] = Math.max(from[0], seen.live());
                number[0] = asked.rollBack(store, number[0], new Seen(from[0], seen.flips()));
                double millis = (System.nanoTime() - begun) / 1e6;
                StoreText.live(output, store, number[0], millis, asked.name() + ": rolled back to");
              });
      if (code == ExitCode.UNKNOWN) {
        output
            .err()
            .printf(
                "braid: Not all nodes have gone back. Run 'braid store rollback %s %d' with the same"
                    + " nodes until they have; without the number, those that have would go back further.%n",
                store, number[0]);
      }
      return code;
    }
    try (NodeDirectory directory = node.own();
        ServedStore served = ServedStore.open(directory.store(store), Search.BINARY)) {
      long begun = System.nanoTime();
      long number = served.rollBack(version == null ? 0 : StoreNames.version(version));
      double millis = (System.nanoTime() - begun) / 1e6;
      StoreText.live(output, store, number, millis, "Rolled back to");
    }
    return ExitCode.DONE;
  }
}
