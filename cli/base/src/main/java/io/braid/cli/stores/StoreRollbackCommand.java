package io.braid.cli.stores;

import io.braid.cli.cluster.NodeOptions;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.OutputOptions;
import io.braid.core.failure.ErrorCode;
import io.braid.serving.ServingException;
import io.braid.serving.StoreNames;
import io.braid.serving.chunk.Search;
import io.braid.serving.net.HttpNode;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.node.ServedStore;
import java.io.IOException;
import java.util.List;
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
      return rollBackTogether();
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

  private int rollBackTogether() throws IOException {
    List<HttpNode> nodes = remote.nodes();
    RollbackPlan plan = new RollbackPlan(store);
    int silent = RemoteOptions.failures(output, nodes, asked -> look(asked, plan));
    if (silent == nodes.size()) {
      return ExitCode.FAILED;
    }
    long target = plan.target(version == null ? 0 : StoreNames.version(version));
    int failed =
        RemoteOptions.failures(
            output,
            plan.nodes(),
            asked -> {
              long begun = System.nanoTime();
              asked.rollBack(store, target, plan.seen(asked));
              double millis = (System.nanoTime() - begun) / 1e6;
              StoreText.live(output, store, target, millis, asked.name() + ": rolled back to");
            });
    int code = RemoteOptions.code(silent + failed, nodes.size());
    if (code == ExitCode.UNKNOWN) {
      output
          .err()
          .printf(
              "braid: Not all nodes have gone back. Run 'braid store rollback %s %d' with the same"
                  + " nodes until they have; without the number, those that have would go back further.%n",
              store, target);
    }
    return code;
  }

  private void look(HttpNode node, RollbackPlan plan) throws IOException {
    try {
      plan.add(node, node.versions(store));
    } catch (ServingException e) {
      if (e.code() != ErrorCode.REFUSED) {
        throw e;
      }
      plan.addEmpty(node); // it answers, and has no such store
    }
  }
}
