package io.braid.cli.stores;

import com.fasterxml.jackson.databind.JsonNode;
import io.braid.core.failure.ErrorCode;
import io.braid.serving.ServingException;
import io.braid.serving.net.HttpNode;
import io.braid.serving.node.LiveVersion;
import io.braid.serving.node.VersionInfo.State;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The version to which running nodes go back together. All nodes that answer must have the version
 * before the first one goes back.
 */
final class RollbackPlan {
  /** The versions of a node. */
  private record Versions(LiveVersion seen, TreeSet<Long> backups) {
    /**
     * Returns whether the node can go back to a version: the version is live at the node, or was
     * live before. A node that has another version live has missed the version to leave, and would
     * refuse.
     */
    boolean canGoBack(long from, long version) {
      return seen.live() == version || (seen.live() == from && backups.contains(version));
    }
  }

  private final String store;
  private final Map<HttpNode, Versions> nodes = new LinkedHashMap<>();

  RollbackPlan(String store) {
    this.store = store;
  }

  /** Notes the versions of a node. */
  void add(HttpNode node, JsonNode versions) {
    TreeSet<Long> backups = new TreeSet<>();
    for (JsonNode each : versions.path("versions")) {
      if (each.path("state").asText().equals(State.BACKUP.text())) {
        backups.add(each.path("version").asLong());
      }
    }
    LiveVersion seen =
        new LiveVersion(versions.path("live").asLong(), versions.path("flips").asLong(-1));
    nodes.put(node, new Versions(seen, backups));
  }

  /** Notes that a node has nothing, such as one that has lost its disk. */
  void addEmpty(HttpNode node) {
    nodes.put(node, new Versions(new LiveVersion(0, -1), new TreeSet<>()));
  }

  /** Returns the version to leave: the highest that is live. */
  long from() {
    return nodes.values().stream().mapToLong(each -> each.seen.live()).max().orElse(0);
  }

  /** Returns what a node has seen when it goes back. */
  LiveVersion seen(HttpNode node) {
    return new LiveVersion(from(), Objects.requireNonNull(nodes.get(node)).seen.flips());
  }

  /** Returns the nodes whose versions are known. */
  Set<HttpNode> nodes() {
    return nodes.keySet();
  }

  /**
   * The version to go back to.
   *
   * @param asked 0: the last that was live before
   * @throws ServingException {@code VERSION_REFUSED} when a node does not have it
   */
  long target(long asked) {
    long target = asked == 0 ? lastBefore() : asked;
    for (Map.Entry<HttpNode, Versions> each : nodes.entrySet()) {
      if (!each.getValue().canGoBack(from(), target)) {
        throw new ServingException(
            ErrorCode.VERSION_REFUSED,
            "%s cannot go back to version %d of %s: %s. Nothing was changed anywhere. %s"
                .formatted(each.getKey().name(), target, store, told(each.getValue()), wayOut()));
      }
    }
    return target;
  }

  private long lastBefore() {
    long from = from();
    return nodes.values().stream()
        .filter(each -> each.seen.live() == from)
        .flatMap(each -> each.backups.stream())
        .max(Long::compare)
        .orElseThrow(
            () ->
                new ServingException(
                    ErrorCode.VERSION_REFUSED,
                    "Store " + store + " has no earlier version to roll back to."));
  }

  private static String told(Versions versions) {
    long live = versions.seen.live();
    return live == 0
        ? "it has none"
        : "it is at " + live + ", and was at " + versions.backups + " before";
  }

  private String wayOut() {
    TreeSet<Long> common = new TreeSet<>();
    nodes.values().forEach(each -> common.addAll(each.backups));
    common.removeIf(
        version -> !nodes.values().stream().allMatch(each -> each.canGoBack(from(), version)));
    return common.isEmpty()
        ? "There is no version that all nodes can go back to: push a new one, or name only the nodes"
            + " that can with --to."
        : "All nodes can go back to " + common + ": name one of these, or push a new version.";
  }
}
