package io.braid.serving.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import java.util.TreeSet;

/**
 * Nodes that could not take part in a push. Until they have caught up they refuse reads of the
 * store.
 *
 * @param version that they lack
 * @param from where the folders of the nodes are
 * @param nodes by their ids
 */
public record Missed(long version, String from, Set<Integer> nodes) {
  public Missed {
    nodes = new TreeSet<>(nodes);
  }

  /** Puts it into an object. */
  public ObjectNode encode(ObjectNode object) {
    object.put("version", version).put("from", from);
    nodes.forEach(object.putArray("nodes")::add);
    return object;
  }

  public static Missed decode(JsonNode object) {
    Set<Integer> nodes = new TreeSet<>();
    object.path("nodes").forEach(node -> nodes.add(node.asInt()));
    return new Missed(object.path("version").asLong(), object.path("from").asText(), nodes);
  }
}
