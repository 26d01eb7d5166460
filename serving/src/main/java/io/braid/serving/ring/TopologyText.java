package io.braid.serving.ring;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.serving.chunk.KeyHash;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * A topology as JSON, in files and on the wire.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class TopologyText {
  private static final ObjectMapper JSON = new ObjectMapper();

  private TopologyText() {}

  public static ObjectNode encode(Topology topology) {
    ObjectNode root = JSON.createObjectNode();
    root.put("version", topology.version()).put("ringVersion", topology.ringVersion());
    ArrayNode nodes = root.putArray("nodes");
    for (Node node : topology.ring().nodes()) {
      nodes
          .addObject()
          .put("id", node.id())
          .put("zone", node.zone())
          .put("address", node.address());
    }
    ArrayNode owners = root.putArray("owners");
    for (int partition = 0; partition < topology.ring().partitions(); partition++) {
      owners.add(topology.ring().owner(partition).id());
    }
    ObjectNode proximity = root.putObject("proximity");
    new TreeMap<>(topology.proximity())
        .forEach((zone, near) -> near.forEach(proximity.putArray(zone.toString())::add));
    ArrayNode stores = root.putArray("stores");
    new TreeMap<>(topology.stores()).values().forEach(store -> encode(store, stores.addObject()));
    return root;
  }

  /** Puts the definition of a store into an object. */
  public static void encode(StoreDefinition store, ObjectNode node) {
    node.put("store", store.store());
    node.put("hash", store.hash().name().toLowerCase(Locale.ROOT));
    node.put("replicas", store.replicas());
    ObjectNode zones = node.putObject("zones");
    new TreeMap<>(store.byZone()).forEach((zone, count) -> zones.put(zone.toString(), count));
    node.put("writable", store.writable());
    node.put("requiredReads", store.requiredReads()).put("requiredWrites", store.requiredWrites());
    if (store.life() != 0) {
      node.put("life", store.life());
    }
  }

  /**
   * Reads it.
   *
   * @throws IllegalArgumentException when it is none
   */
  public static Topology decode(JsonNode root) {
    List<Node> nodes = new ArrayList<>();
    for (JsonNode node : root.path("nodes")) {
      nodes.add(
          new Node(
              node.path("id").asInt(-1), node.path("zone").asInt(), node.path("address").asText()));
    }
    List<Integer> owners = new ArrayList<>();
    root.path("owners").forEach(owner -> owners.add(owner.asInt(-1)));
    Map<Integer, List<Integer>> proximity = new TreeMap<>();
    root.path("proximity")
        .fields()
        .forEachRemaining(
            zone -> {
              List<Integer> near = new ArrayList<>();
              zone.getValue().forEach(other -> near.add(other.asInt()));
              proximity.put(Integer.valueOf(zone.getKey()), near);
            });
    Map<String, StoreDefinition> stores = new TreeMap<>();
    for (JsonNode node : root.path("stores")) {
      StoreDefinition store = store(node);
      stores.put(store.store(), store);
    }
    return new Topology(
        root.path("version").asLong(),
        root.path("ringVersion").asLong(1),
        Ring.of(nodes, owners),
        proximity,
        stores);
  }

  /** Reads a text. */
  public static Topology decode(String text) {
    try {
      return decode(JSON.readTree(text));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("This is no topology: " + e.getOriginalMessage(), e);
    }
  }

  /** The definition of one store. */
  public static StoreDefinition store(JsonNode node) {
    Map<Integer, Integer> zones = new TreeMap<>();
    node.path("zones")
        .fields()
        .forEachRemaining(
            zone -> zones.put(Integer.valueOf(zone.getKey()), zone.getValue().asInt()));
    return new StoreDefinition(
        node.path("store").asText(),
        KeyHash.valueOf(node.path("hash").asText("xxh64").toUpperCase(Locale.ROOT)),
        node.path("replicas").asInt(),
        zones,
        node.path("writable").asBoolean(),
        node.path("requiredReads").asInt(1),
        node.path("requiredWrites").asInt(1),
        node.path("life").asLong(0));
  }
}
