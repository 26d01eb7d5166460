package io.braid.cli.stores;

import io.braid.cli.cluster.ClusterOptions;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.Failures;
import io.braid.cli.command.OutputOptions;
import io.braid.cli.command.UsageException;
import io.braid.serving.net.HttpNode;
import io.braid.serving.ring.Node;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of verbs that ask running nodes. */
final class RemoteOptions {
  @Option(
      names = "--to",
      split = ",",
      paramLabel = "NODE",
      description = "Running nodes, http://HOST:PORT, instead of a directory: number 0 first.")
  List<String> to = List.of();

  @Mixin ClusterOptions cluster = new ClusterOptions();

  /** Whether running nodes are asked. */
  boolean isRemote() {
    return !to.isEmpty() || !cluster.cluster.isEmpty();
  }

  /** Returns whether the nodes are those of a cluster. */
  boolean isCluster() {
    return !cluster.cluster.isEmpty();
  }

  /** The nodes that were named, or all of the cluster. */
  List<HttpNode> nodes() throws IOException {
    if (!to.isEmpty() && !cluster.cluster.isEmpty()) {
      throw new UsageException("Name nodes with --to, or their cluster with --cluster, not both.");
    }
    List<HttpNode> nodes = new ArrayList<>();
    if (to.isEmpty()) {
      for (Node member : cluster.topology().ring().nodes()) {
        nodes.add(new HttpNode(member.id(), member.address(), cluster.token()));
      }
    }
    for (String address : to) {
      nodes.add(new HttpNode(nodes.size(), ClusterOptions.address(address), cluster.token()));
    }
    return nodes;
  }

  /** Something that is asked of one node. */
  interface Ask {
    void of(HttpNode node) throws IOException;
  }

  /**
   * Asks all of them, also when one fails.
   *
   * @return how the verb ends: some but not all have done it is {@link ExitCode#UNKNOWN}; {@link
   *     ExitCode#UNAVAILABLE} when no node answers
   */
  int all(OutputOptions output, Ask ask) throws IOException {
    List<HttpNode> nodes = nodes();
    AtomicInteger silent = new AtomicInteger();
    int failed =
        failures(
            output,
            nodes,
            node -> {
              try {
                ask.of(node);
              } catch (IOException e) {
                silent.incrementAndGet();
                throw e;
              }
            });
    return silent.get() == nodes.size() ? ExitCode.UNAVAILABLE : code(failed, nodes.size());
  }

  /** Asks all of these, also when one fails, and answers how many have failed. */
  static int failures(OutputOptions output, Collection<HttpNode> nodes, Ask ask) {
    int failed = 0;
    for (HttpNode node : nodes) {
      try {
        ask.of(node);
      } catch (IOException | RuntimeException e) {
        failed++;
        output.refused(Failures.codeOfNode(e), node.name() + ": " + Failures.text(e));
      }
    }
    return failed;
  }

  /** Returns the exit code of a verb that a number of the nodes have not done. */
  static int code(int failed, int nodes) {
    return failed == 0 ? ExitCode.DONE : failed == nodes ? ExitCode.FAILED : ExitCode.UNKNOWN;
  }
}
