package io.braid.serving.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import java.util.TreeSet;
import org.apiguardian.api.API;

/**
 * Nodes that could not take part in a push. Until they have caught up they refuse reads of the
 * store.
 *
 * @param version the version that they lack
 * @param from where the folders of the nodes are
 * @param nodes by their ids
 * @param peers whether one copy of each file was to come into a zone from outside, and the others
 *     from node to node. If so, nodes that catch up copy from nodes that have the version
 * @param confirmed whether that push is known to have gone through. Before that, the push may still
 *     be taken back, and no node catches up with it
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record MissedPush(
    long version, String from, Set<Integer> nodes, boolean peers, boolean confirmed) {
  public MissedPush {
    nodes = new TreeSet<>(nodes);
  }

  /** Of a push that has yet to go through. */
  public MissedPush(long version, String from, Set<Integer> nodes, boolean peers) {
    this(version, from, nodes, peers, false);
  }

  /** The same, of a push that has gone through. */
  public MissedPush nowConfirmed() {
    return new MissedPush(version, from, nodes, peers, true);
  }

  /** Puts it into an object. */
  public ObjectNode encode(ObjectNode object) {
    object.put("version", version).put("from", from);
    nodes.forEach(object.putArray("nodes")::add);
    if (peers) {
      object.put("peers", true);
    }
    if (confirmed) {
      object.put("confirmed", true);
    }
    return object;
  }

  public static MissedPush decode(JsonNode object) {
    Set<Integer> nodes = new TreeSet<>();
    object.path("nodes").forEach(node -> nodes.add(node.asInt()));
    return new MissedPush(
        object.path("version").asLong(),
        object.path("from").asText(),
        nodes,
        object.path("peers").asBoolean(),
        object.path("confirmed").asBoolean());
  }
}
