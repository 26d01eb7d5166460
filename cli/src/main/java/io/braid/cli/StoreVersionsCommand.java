package io.braid.cli;

import io.braid.serving.node.NodeDirectory;
import io.braid.serving.node.VersionInfo;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lists versions. */
@Command(
    name = "versions",
    description = "Lists the versions of a store on the node.",
    mixinStandardHelpOptions = true)
final class StoreVersionsCommand implements Callable<Integer> {
  @Parameters(paramLabel = "STORE")
  String store = "";

  @Mixin NodeOptions node = new NodeOptions();

  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws IOException {
    try (NodeDirectory directory = node.look()) {
      for (VersionInfo info : directory.store(store).versions()) {
        StoreText.print(output, info);
      }
    }
    return ExitCode.DONE;
  }
}
