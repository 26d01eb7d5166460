package io.braid.serving.net;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.core.failure.ErrorCode;
import io.braid.http.HttpCall;
import io.braid.http.HttpRefusal;
import io.braid.http.Json;
import io.braid.serving.node.CanaryPlan;
import io.braid.serving.node.CanaryReport;
import io.braid.serving.node.LiveVersion;
import io.braid.serving.node.MissedPush;
import io.braid.serving.ring.Topology;
import io.braid.serving.ring.TopologyText;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The changing half of the HTTP interface, all with JSON bodies:
 *
 * <pre>
 * POST /stores/S/lease    {"push":"id","millis":30000}                      one push of a store at a time
 * POST /stores/S/release  {"push":"id"}
 * POST /stores/S/fetch    {"from":"http://... or /directory","version":7,"peers":false}   begins; GET tells how far
 * POST /stores/S/prepare  {"version":7,"force":false}                       checks, maps and warms
 * POST /stores/S/canary   {"version":7,"share":0.05,"reads":1000,...}       tries it out on reads of the live one
 * POST /stores/S/swap     {"version":7,"force":false}                       makes it live
 * POST /stores/S/confirm  {"push":"id"}                                     it went through: who missed it catches up
 * POST /stores/S/rollback {"version":6,"from":7,"flips":12}                 back, to the last one if none is named,
 *                                                                           unless another than "from" is live by now,
 *                                                                           or that has changed since
 * POST /stores/S/takeback {"version":7}                                     undoes its swap, if it is live
 * POST /stores/S/pin      {"version":7,"off":false}                         never deleted
 * POST /stores/S/quota    {"bytes":1000000}                                 of all versions; 0: no limit
 * POST /rebalance/...                          see HttpMoves
 * POST /cluster {"self":0,"topology":{...}}    makes this node a member, or tells it a new topology
 * </pre>
 *
 * Steps of a push carry its id as {@code push}, and are refused when it has no lease.
 */
final class HttpChanges {
  private static final Pattern PATH = Pattern.compile("/stores/([^/]+)/([a-z]+)");

  /** The steps, and what the body of each may say. */
  private static final Map<String, Set<String>> STEPS =
      Map.ofEntries(
          Map.entry("lease", Set.of("push", "millis")),
          Map.entry("release", Set.of("push")),
          Map.entry("fetch", Set.of("push", "from", "version", "peers")),
          Map.entry("prepare", Set.of("push", "version", "force")),
          Map.entry(
              "canary",
              Set.of(
                  "push",
                  "version",
                  "share",
                  "reads",
                  "millis",
                  "maxMissing",
                  "maxSize",
                  "maxLatency")),
          Map.entry("swap", Set.of("push", "version", "force", "flips", "missed")),
          Map.entry("confirm", Set.of("push")),
          Map.entry("rollback", Set.of("version", "from", "flips")),
          Map.entry("takeback", Set.of("version", "flips")),
          Map.entry("pin", Set.of("version", "off")),
          Map.entry("quota", Set.of("bytes")));

  private static final Set<String> CLUSTER = Set.of("self", "topology", "move", "refill");

  private final NodeService service;
  private final NodeEndpoint endpoint;
  private final HttpMoves moves;

  HttpChanges(NodeService service, NodeEndpoint endpoint) {
    this.service = service;
    this.endpoint = endpoint;
    this.moves = new HttpMoves(service);
  }

  private ClusterMember.JoinMode coming(int self, ObjectNode body) {
    if (service.moves().brings(self)) {
      return ClusterMember.JoinMode.BY_MOVE;
    }
    return Json.flag(body, "refill")
        ? ClusterMember.JoinMode.TO_BE_REFILLED
        : ClusterMember.JoinMode.EMPTY;
  }

  void handle(HttpCall call) throws IOException {
    String path = call.path();
    if (path.equals("/cluster")) {
      ObjectNode body = Json.only(CLUSTER, Json.read(call.body()));
      int self = Json.small(body, "self", -1);
      Topology topology = TopologyText.decode(body.path("topology"));
      service.moves().admitTopology(topology, body.path("move").asText());
      service.cluster().install(self, topology, coming(self, body));
      ObjectNode answer = Json.object().put("topology", service.cluster().version());
      service.cluster().refilling().forEach(answer.putArray("refilling")::add);
      call.send(200, answer);
      return;
    }
    if (path.startsWith(HttpMoves.PREFIX)) {
      moves.handle(call, path);
      return;
    }
    Matcher matcher = PATH.matcher(path);
    Set<String> fields = matcher.matches() ? STEPS.get(matcher.group(2)) : null;
    if (fields == null) {
      throw new HttpRefusal(404, "no such address", "Nothing can be done at " + path + ".");
    }
    ObjectNode body = Json.only(fields, Json.read(call.body()));
    String store = matcher.group(1);
    long version = Json.whole(body, "version", 0);
    boolean force = Json.flag(body, "force");
    String push = body.path("push").asText();
    long flips = Json.whole(body, "flips", -1);
    ObjectNode answer = Json.object();
    switch (matcher.group(2)) {
      case "lease" -> {
        endpoint.lease(store, push, Duration.ofMillis(Json.whole(body, "millis", 0)));
      }
      case "release" -> endpoint.release(store, push);
      case "fetch" -> {
        boolean peers = Json.flag(body, "peers");
        String from = body.path("from").asText();
        answer.put("version", endpoint.begin(store, push, from, version, peers));
      }
      case "prepare" -> {
        endpoint.prepare(store, push, version, force);
        answer.put("prepared", version);
      }
      case "canary" -> {
        CanaryReport seen = endpoint.canary(store, push, version, canary(body));
        answer.put("reads", seen.reads()).put("found", seen.found());
        answer.put("missing", seen.missing());
        answer.put("size", seen.size()).put("latency", seen.latency());
      }
      case "swap" -> {
        JsonNode missed = body.path("missed");
        Optional<MissedPush> missing =
            missed.isObject() ? Optional.of(MissedPush.decode(missed)) : Optional.empty();
        endpoint.swap(store, push, version, force, flips, missing);
        answer.put("live", version);
      }
      case "confirm" -> endpoint.confirm(store, push);
      case "pin" -> {
        endpoint.pin(store, version, !Json.flag(body, "off"));
        answer.put("version", version);
      }
      case "quota" -> {
        if (!body.has("bytes")) {
          throw new HttpRefusal(
              400, ErrorCode.BAD_REQUEST.word(), "'bytes' is missing; 0 takes the limit away.");
        }
        service.versions(store).limit(Json.whole(body, "bytes", 0));
        answer.put("quota", Json.whole(body, "bytes", 0));
      }
      case "rollback" ->
          answer.put(
              "live",
              endpoint.rollBack(
                  store, version, new LiveVersion(Json.whole(body, "from", 0), flips)));
      default -> answer.put("live", service.takeBack(store, version, flips));
    }
    call.send(200, answer);
  }

  private static CanaryPlan canary(ObjectNode body) {
    return new CanaryPlan(
        body.path("share").asDouble(),
        Json.small(body, "reads", 0),
        Duration.ofMillis(Json.whole(body, "millis", 0)),
        body.path("maxMissing").asDouble(),
        body.path("maxSize").asDouble(),
        body.path("maxLatency").asDouble());
  }
}
