package io.braid.serving.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.core.runtime.DurableFiles;
import io.braid.serving.build.BadManifestException;
import io.braid.serving.files.SealedLine;
import io.braid.serving.ring.Node;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Topology;
import io.braid.serving.ring.TopologyText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apiguardian.api.API;

/**
 * That a node belongs to a cluster: the file {@code .cluster} in its directory (section 3.1.6: the
 * topology is kept on every node).
 *
 * @param self the node's id in the topology
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record Membership(int self, Topology topology) {
  static final String NAME = ".cluster";
  private static final int LIMIT = 16 << 20;
  private static final ObjectMapper JSON = new ObjectMapper();

  public Membership {
    topology.ring().node(self);
  }

  /**
   * Whether the node has left its ring since: it has no partition there any more, and a newer
   * topology does not name it. One that has partitions may be of another cluster.
   */
  public boolean hasLeft(Topology newer) {
    Ring ring = topology.ring();
    Node here = ring.node(self);
    return newer.version() > topology.version()
        && newer.ring().partitions() == ring.partitions()
        && IntStream.range(0, ring.partitions()).noneMatch(p -> ring.owner(p).id() == self)
        && newer.ring().nodes().stream()
            .noneMatch(node -> node.id() == self && node.address().equals(here.address()));
  }

  static Optional<Membership> read(Path node) throws IOException {
    String line =
        SealedLine.read(
                node.resolve(NAME),
                LIMIT,
                damaged ->
                    new BadManifestException(
                        damaged
                            + ". Start the node with an empty directory, and have the cluster "
                            + "send it again: braid cluster tell."))
            .orElse("");
    if (line.isEmpty()) {
      return Optional.empty();
    }
    JsonNode root = JSON.readTree(line);
    return Optional.of(
        new Membership(root.path("self").asInt(-1), TopologyText.decode(root.path("topology"))));
  }

  static void delete(Path node) throws IOException {
    Files.deleteIfExists(node.resolve(NAME));
    DurableFiles.syncDirectory(node);
  }

  void write(Path node) throws IOException {
    ObjectNode root = JSON.createObjectNode();
    root.put("self", self);
    root.set("topology", TopologyText.encode(topology));
    DurableFiles.write(node.resolve(NAME), SealedLine.encode(JSON.writeValueAsString(root)));
  }
}
