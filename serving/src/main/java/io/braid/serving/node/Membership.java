package io.braid.serving.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.core.runtime.Durable;
import io.braid.serving.build.BadManifestException;
import io.braid.serving.files.Sealed;
import io.braid.serving.ring.Topology;
import io.braid.serving.ring.TopologyText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * That a node belongs to a cluster: the file {@code .cluster} in its directory (section 3.1.6: the
 * topology is kept on every node).
 *
 * @param self the node's id in the topology
 */
public record Membership(int self, Topology topology) {
  static final String NAME = ".cluster";
  private static final int LIMIT = 16 << 20;
  private static final ObjectMapper JSON = new ObjectMapper();

  public Membership {
    topology.ring().node(self);
  }

  static Optional<Membership> read(Path node) throws IOException {
    String line =
        Sealed.read(
                node.resolve(NAME),
                LIMIT,
                damaged ->
                    new BadManifestException(
                        damaged
                            + ". Start the node with an empty directory, and have the cluster "
                            + "tell it anew: braid cluster tell."))
            .orElse("");
    if (line.isEmpty()) {
      return Optional.empty();
    }
    JsonNode root = JSON.readTree(line);
    return Optional.of(
        new Membership(root.path("self").asInt(-1), TopologyText.decode(root.path("topology"))));
  }

  void write(Path node) throws IOException {
    ObjectNode root = JSON.createObjectNode();
    root.put("self", self);
    root.set("topology", TopologyText.encode(topology));
    Durable.write(node.resolve(NAME), Sealed.encode(JSON.writeValueAsString(root)));
  }
}
