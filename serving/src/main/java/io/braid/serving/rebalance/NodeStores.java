package io.braid.serving.rebalance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.serving.node.Rollback;
import io.braid.serving.ring.StoreDefinition;
import io.braid.serving.ring.Topology;
import io.braid.serving.ring.TopologyText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The state of a node, as far as a rebalancing needs it.
 *
 * @param topology that the node knows; none when it is in no cluster
 * @param move in which the node takes part
 */
public record NodeStores(Optional<Topology> topology, Optional<Move> move, List<Store> stores) {

  /**
   * A move that a node takes part in.
   *
   * @param total bytes that come to it; 0 when it is not known yet
   * @param problem why nothing comes any more
   */
  public record Move(
      String id,
      Topology from,
      Topology to,
      boolean prepared,
      boolean running,
      long fetched,
      long total,
      String problem) {}

  /**
   * A read-only store.
   *
   * @param served versions that were live, in that order; the last is
   * @param rolledBack versions that were rolled back, and why
   */
  public record Store(
      String name, List<Long> served, List<Version> versions, Map<Long, Rollback> rolledBack) {
    public long live() {
      return served.isEmpty() ? 0 : served.get(served.size() - 1);
    }
  }

  /**
   * A version.
   *
   * @param partitions of the ring it was built for
   * @param bytes of each partition that is here
   */
  public record Version(
      long number, StoreDefinition definition, int partitions, Map<Integer, Long> bytes) {}

  public NodeStores {
    stores = List.copyOf(stores);
  }

  /** The version of its topology; 0 when it has none. */
  public long topologyVersion() {
    return topology.map(Topology::version).orElse(0L);
  }

  public ObjectNode encode(ObjectNode root) {
    topology.ifPresent(known -> root.set("topology", TopologyText.encode(known)));
    move.ifPresent(
        m -> {
          ObjectNode object = root.putObject("move").put("id", m.id());
          object.set("from", TopologyText.encode(m.from()));
          object.set("to", TopologyText.encode(m.to()));
          object.put("prepared", m.prepared()).put("running", m.running());
          object.put("fetched", m.fetched()).put("total", m.total()).put("problem", m.problem());
        });
    ArrayNode list = root.putArray("stores");
    for (Store store : stores) {
      ObjectNode object = list.addObject().put("store", store.name());
      store.served().forEach(object.putArray("served")::add);
      Rollback.encode(store.rolledBack(), object.putObject("rolledBack"));
      ArrayNode versions = object.putArray("versions");
      for (Version version : store.versions()) {
        ObjectNode one = versions.addObject().put("version", version.number());
        one.put("partitions", version.partitions());
        TopologyText.encode(version.definition(), one.putObject("definition"));
        ObjectNode bytes = one.putObject("bytes");
        version.bytes().forEach((partition, n) -> bytes.put(partition.toString(), n));
      }
    }
    return root;
  }

  public static NodeStores decode(JsonNode root) {
    Optional<Topology> topology =
        root.has("topology")
            ? Optional.of(TopologyText.decode(root.get("topology")))
            : Optional.empty();
    List<Store> stores = new ArrayList<>();
    for (JsonNode store : root.path("stores")) {
      List<Long> served = new ArrayList<>();
      store.path("served").forEach(version -> served.add(version.asLong()));
      List<Version> versions = new ArrayList<>();
      store.path("versions").forEach(version -> versions.add(version(version)));
      Map<Long, Rollback> rolledBack = Rollback.decode(store.path("rolledBack"));
      stores.add(new Store(store.path("store").asText(), served, versions, rolledBack));
    }
    return new NodeStores(topology, move(root.path("move")), stores);
  }

  private static Version version(JsonNode version) {
    Map<Integer, Long> bytes = new TreeMap<>();
    version
        .path("bytes")
        .fields()
        .forEachRemaining(
            partition ->
                bytes.put(Integer.valueOf(partition.getKey()), partition.getValue().asLong()));
    return new Version(
        version.path("version").asLong(),
        TopologyText.store(version.path("definition")),
        version.path("partitions").asInt(),
        bytes);
  }

  private static Optional<Move> move(JsonNode move) {
    return move.isObject()
        ? Optional.of(
            new Move(
                move.path("id").asText(),
                TopologyText.decode(move.path("from")),
                TopologyText.decode(move.path("to")),
                move.path("prepared").asBoolean(),
                move.path("running").asBoolean(),
                move.path("fetched").asLong(),
                move.path("total").asLong(),
                move.path("problem").asText()))
        : Optional.empty();
  }
}
