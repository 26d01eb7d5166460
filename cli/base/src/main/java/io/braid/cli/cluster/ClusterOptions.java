package io.braid.cli.cluster;

import io.braid.cli.command.Failures;
import io.braid.cli.command.UsageException;
import io.braid.serving.ServingException;
import io.braid.serving.client.ReplicaFailedException;
import io.braid.serving.client.StoreUnavailableException;
import io.braid.serving.net.HttpNode;
import io.braid.serving.net.HttpNodes;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Topology;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of verbs that change a cluster through its nodes. */
public final class ClusterOptions {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  @Option(
      names = "--cluster",
      split = ",",
      paramLabel = "NODE",
      description = "Nodes of the cluster, http://HOST:PORT; one must answer.")
  public List<String> cluster = List.of();

  @Option(names = "--token-file", paramLabel = "FILE", description = "The token of the nodes.")
  @Nullable Path tokenFile;

  public String token() throws IOException {
    return tokenFile == null ? "" : Files.readString(tokenFile).strip();
  }

  public HttpNode node(String address) throws IOException {
    return new HttpNode(address(address), token());
  }

  /** Returns an address in the form that a topology has. */
  public static String address(String text) {
    if (!text.matches("https?://[^/]+/?")) {
      throw new UsageException("'" + text + "' is no node: write http://HOST:PORT.");
    }
    return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
  }

  /** The topology that the first node that answers knows. */
  public Topology topology() {
    if (cluster.isEmpty()) {
      throw new UsageException("Name a node of the cluster with --cluster http://HOST:PORT.");
    }
    List<String> problems = new ArrayList<>();
    for (String node : cluster) {
      try {
        return new HttpNodes(TIMEOUT).bootstrap(address(node));
      } catch (IOException | ReplicaFailedException e) {
        problems.add(node + " did not answer (" + Failures.text(e) + ").");
      }
    }
    throw new StoreUnavailableException(String.join(" ", problems));
  }

  /**
   * Sends a topology to all its nodes; returns the nodes that were not reached. A node whose answer
   * was lost is asked for the topology that it knows.
   */
  List<String> tell(Topology topology) throws IOException {
    List<String> missed = new ArrayList<>();
    for (Node member : topology.ring().nodes()) {
      try {
        node(member.address()).join(member.id(), topology);
      } catch (IOException | ServingException e) {
        if (e instanceof IOException && knows(member, topology)) {
          continue;
        }
        missed.add(member.address() + " (" + Failures.text(e) + ")");
      }
    }
    return missed;
  }

  /**
   * As {@link #tell tell}.
   *
   * @throws StoreUnavailableException when no node took it
   */
  public List<String> tellAny(Topology topology) throws IOException {
    List<String> missed = tell(topology);
    if (missed.size() == topology.ring().nodes().size()) {
      throw new StoreUnavailableException(
          "No node is known to have taken the new topology: " + String.join(" ", missed));
    }
    return missed;
  }

  private static boolean knows(Node member, Topology topology) {
    try {
      return new HttpNodes(TIMEOUT)
          .bootstrap(member.address())
          .writableOnly()
          .equals(topology.writableOnly());
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }
}
