package io.braid.cli;

import io.braid.core.runtime.SystemSeams;
import io.braid.serving.node.NodeDirectory;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options of every verb that works on the directory of a node. */
final class NodeOptions {
  @Option(
      names = "--node",
      paramLabel = "DIR",
      description = "Directory of the node (default: ${DEFAULT-VALUE}).")
  Path node = Path.of("braid-node");

  /** Opens the directory to read it. */
  NodeDirectory look() throws IOException {
    return NodeDirectory.look(node, new SystemSeams());
  }

  /** Opens the directory to change it; no other process may do so meanwhile. */
  NodeDirectory own() throws IOException {
    return NodeDirectory.own(node, new SystemSeams());
  }
}
