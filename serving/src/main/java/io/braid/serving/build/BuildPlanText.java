package io.braid.serving.build;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.serving.chunk.Compression;
import io.braid.serving.chunk.IndexKind;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Routing;
import io.braid.serving.ring.Topology;
import io.braid.serving.ring.TopologyText;
import java.util.Map;
import java.util.TreeMap;

/** A plan as JSON, for tasks in other processes: all but what joins duplicates. */
final class BuildPlanText {
  private static final ObjectMapper JSON = new ObjectMapper();

  private BuildPlanText() {}

  static ObjectNode encode(BuildPlan plan) {
    ObjectNode root = JSON.createObjectNode();
    root.put("store", plan.store()).put("index", plan.kind().text());
    root.set("ring", TopologyText.encode(Topology.of(plan.routing().ring(), Map.of())));
    root.put("replicas", plan.routing().replicas());
    ObjectNode zones = root.putObject("zones");
    new TreeMap<>(plan.routing().zones()).forEach((zone, n) -> zones.put(zone.toString(), n));
    root.put("chunks", plan.chunks()).put("memory", plan.memory());
    root.put("minimumKeys", plan.minimumKeys()).put("schema", plan.schema());
    root.put("compression", plan.compression().text());
    plan.snapshot().ifPresent(at -> root.put("snapshot", at));
    return root;
  }

  static BuildPlan decode(JsonNode root) {
    Ring ring = TopologyText.decode(root.path("ring")).ring();
    Map<Integer, Integer> zones = new TreeMap<>();
    root.path("zones")
        .fields()
        .forEachRemaining(
            zone -> zones.put(Integer.valueOf(zone.getKey()), zone.getValue().asInt()));
    Routing routing =
        zones.isEmpty()
            ? Routing.consistent(ring, root.path("replicas").asInt())
            : Routing.zoned(ring, zones);
    BuildPlan plan =
        BuildPlan.of(root.path("store").asText())
            .kind(IndexKind.named(root.path("index").asText()))
            .routing(routing)
            .chunks(root.path("chunks").asInt())
            .memory(root.path("memory").asInt())
            .minimumKeys(root.path("minimumKeys").asLong())
            .schema(root.path("schema").asInt())
            .compression(Compression.named(root.path("compression").asText()));
    return root.has("snapshot") ? plan.snapshot(root.get("snapshot").asLong()) : plan;
  }

  static JsonNode read(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("This is no plan: " + e.getOriginalMessage(), e);
    }
  }
}
