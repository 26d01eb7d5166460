package io.braid.serving.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.serving.StoreNames;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Why a version that was live, or was about to be, no longer is. Only a change that names the
 * version makes it live again.
 *
 * @param byPush whether the version's own push took it back because it could not swap everywhere.
 *     Such a version may be pushed again. Any other was rolled back on request, and needs force
 */
public record RolledBack(String reason, boolean byPush) {
  static final RolledBack BY_PUSH =
      new RolledBack("its push took it back, since not every node could swap", true);

  static final RolledBack BEFORE_IT_CAME =
      new RolledBack("it was rolled back before it was live here", false);

  /** The reason of versions that were rolled back before reasons were recorded. */
  static final RolledBack EARLIER = new RolledBack("it was taken back", false);

  static RolledBack to(long version, boolean live) {
    return new RolledBack(
        (live ? "rolled back to version " : "left out by a rollback to version ") + version, false);
  }

  public static void encode(Map<Long, RolledBack> versions, ObjectNode object) {
    versions.forEach(
        (version, why) ->
            object
                .putObject(version.toString())
                .put("reason", why.reason)
                .put("byPush", why.byPush));
  }

  /** Decodes the versions, in the order in which they were rolled back. */
  public static Map<Long, RolledBack> decode(JsonNode object) {
    Map<Long, RolledBack> versions = new LinkedHashMap<>();
    object
        .fields()
        .forEachRemaining(
            each ->
                versions.put(
                    StoreNames.version(each.getKey()),
                    new RolledBack(
                        each.getValue().path("reason").asText(),
                        each.getValue().path("byPush").asBoolean())));
    return versions;
  }
}
