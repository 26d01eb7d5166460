package io.braid.serving.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.serving.StoreNames;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apiguardian.api.API;

/**
 * Why a version that was live, or was about to be, no longer is. Only a change that names the
 * version makes it live again.
 *
 * @param byPush whether the version's own push took it back because it could not swap everywhere.
 *     Such a version may be pushed again. Any other was rolled back on request, and needs force
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record Rollback(String reason, boolean byPush) {
  static final Rollback BY_PUSH =
      new Rollback("its push took it back, since not every node could swap", true);

  static final Rollback BEFORE_IT_CAME =
      new Rollback("it was rolled back before it was live here", false);

  /** The reason of versions that were rolled back before reasons were recorded. */
  static final Rollback EARLIER = new Rollback("it was taken back", false);

  static Rollback to(long version, boolean live) {
    return new Rollback(
        (live ? "rolled back to version " : "left out by a rollback to version ") + version, false);
  }

  public static void encode(Map<Long, Rollback> versions, ObjectNode object) {
    versions.forEach(
        (version, why) ->
            object
                .putObject(version.toString())
                .put("reason", why.reason)
                .put("byPush", why.byPush));
  }

  /** Decodes the versions, in the order in which they were rolled back. */
  public static Map<Long, Rollback> decode(JsonNode object) {
    Map<Long, Rollback> versions = new LinkedHashMap<>();
    object
        .fields()
        .forEachRemaining(
            each ->
                versions.put(
                    StoreNames.version(each.getKey()),
                    new Rollback(
                        each.getValue().path("reason").asText(),
                        each.getValue().path("byPush").asBoolean())));
    return versions;
  }
}
