package io.braid.serving.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.core.runtime.DurableFiles;
import io.braid.serving.build.BadManifestException;
import io.braid.serving.files.SealedLine;
import io.braid.serving.ring.Topology;
import io.braid.serving.ring.TopologyText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apiguardian.api.API;

/**
 * That a node takes part in a move of partitions (section 4.3.2, its "rebalancing state"): the file
 * {@code .move} in its directory. While it is there nothing is fetched or swapped.
 *
 * @param id of the move
 * @param self the node's id
 * @param from the topology before the move
 * @param to the one after it
 * @param fresh stores that this node had no version of before
 * @param prepared whether everything that comes to this node is here
 * @param closed whether it answers for nothing any more that its topology gives to others
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record MoveState(
    String id,
    int self,
    Topology from,
    Topology to,
    Set<String> fresh,
    boolean prepared,
    boolean closed) {
  private static final String NAME = ".move";
  private static final int LIMIT = 32 << 20;
  private static final ObjectMapper JSON = new ObjectMapper();

  public MoveState {
    to.ring().node(self);
    fresh = new TreeSet<>(fresh);
  }

  public MoveState stealing(Set<String> stores) {
    return new MoveState(id, self, from, to, stores, prepared, closed);
  }

  public MoveState nowPrepared() {
    return new MoveState(id, self, from, to, fresh, true, closed);
  }

  public MoveState nowClosed() {
    return new MoveState(id, self, from, to, fresh, prepared, true);
  }

  public static Optional<MoveState> read(Path node) throws IOException {
    String line =
        SealedLine.read(
                node.resolve(NAME),
                LIMIT,
                damaged ->
                    new BadManifestException(
                        damaged
                            + ": a move of partitions was under way here. Delete it, and look at "
                            + "the cluster with braid rebalance status."))
            .orElse("");
    if (line.isEmpty()) {
      return Optional.empty();
    }
    JsonNode root = JSON.readTree(line);
    Set<String> fresh = new TreeSet<>();
    root.path("fresh").forEach(store -> fresh.add(store.asText()));
    return Optional.of(
        new MoveState(
            root.path("id").asText(),
            root.path("self").asInt(-1),
            TopologyText.decode(root.path("from")),
            TopologyText.decode(root.path("to")),
            fresh,
            root.path("prepared").asBoolean(),
            root.path("closed").asBoolean()));
  }

  public void write(Path node) throws IOException {
    ObjectNode root = JSON.createObjectNode().put("id", id).put("self", self);
    root.set("from", TopologyText.encode(from));
    root.set("to", TopologyText.encode(to));
    fresh.forEach(root.putArray("fresh")::add);
    root.put("prepared", prepared).put("closed", closed);
    DurableFiles.write(node.resolve(NAME), SealedLine.encode(JSON.writeValueAsString(root)));
  }

  /** The move is over. */
  public static void delete(Path node) throws IOException {
    Files.deleteIfExists(node.resolve(NAME));
    DurableFiles.syncDirectory(node);
  }
}
