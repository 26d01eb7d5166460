package io.braid.cli.cluster;

import io.braid.core.runtime.SystemSeams;
import io.braid.serving.node.NodeDirectory;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options of every verb that works on the directory of a node. */
public final class NodeOptions {
  @Option(
      names = "--node",
      paramLabel = "DIR",
      description = "Directory of the node (default: ${DEFAULT-VALUE}).")
  public Path node = Path.of("braid-node");

  /** Opens the directory to read it. */
  public NodeDirectory look() throws IOException {
    return NodeDirectory.look(node, new SystemSeams());
  }

  /** Opens the directory to change it; no other process may do so meanwhile. */
  public NodeDirectory own() throws IOException {
    return NodeDirectory.own(node, new SystemSeams());
  }
}
