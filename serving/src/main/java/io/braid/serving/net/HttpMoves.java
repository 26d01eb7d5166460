package io.braid.serving.net;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.http.HttpCall;
import io.braid.http.HttpRefusal;
import io.braid.http.Json;
import io.braid.serving.rebalance.StolenVersion;
import io.braid.serving.ring.TopologyText;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The steps of a rebalancing over HTTP, with JSON bodies. Each carries the id of the run, which
 * holds a lease at every node: one at a time.
 *
 * <pre>
 * POST /rebalance/lease    {"run":"id","millis":30000}
 * POST /rebalance/release  {"run":"id"}
 * POST /rebalance/begin    {"run":..,"move":"id","self":3,"from":{...},"to":{...}}   topologies
 * POST /rebalance/steal    {"run":..,"move":"id","versions":[...]}                   see StolenVersion
 * POST /rebalance/close    {"run":..,"move":"id"}
 * POST /rebalance/settle   {"run":..,"move":"id"}
 * </pre>
 */
final class HttpMoves {
  static final String PREFIX = "/rebalance/";
  private static final String CLUSTER = "the cluster's partitions";
  private static final int LIMIT = 32 << 20;
  private static final Set<String> FIELDS =
      Set.of("run", "move", "millis", "self", "from", "to", "versions");

  private final NodeService service;

  HttpMoves(NodeService service) {
    this.service = service;
  }

  void handle(HttpCall call, String path) throws IOException {
    ObjectNode body = Json.only(FIELDS, Json.read(call.body(), LIMIT));
    String run = body.path("run").asText();
    String move = body.path("move").asText();
    String step = path.substring(PREFIX.length());
    PushLeases leases = service.rebalances();
    if (!step.equals("lease") && !step.equals("release")) {
      leases.check(CLUSTER, run);
    }
    switch (step) {
      case "lease" ->
          leases.take(CLUSTER, run, Duration.ofMillis(Json.whole(body, "millis", 0)), () -> {});
      case "release" -> leases.release(CLUSTER, run);
      case "begin" ->
          service
              .moves()
              .begin(
                  move,
                  Json.small(body, "self", -1),
                  TopologyText.decode(body.path("from")),
                  TopologyText.decode(body.path("to")));
      case "steal" -> {
        List<StolenVersion> versions = new ArrayList<>();
        body.path("versions").forEach(version -> versions.add(StolenVersion.decode(version)));
        service.moves().steal(move, versions);
      }
      case "close" -> service.moves().close(move);
      case "settle" -> service.moves().settle(move);
      default -> throw new HttpRefusal(404, "no such address", "Nothing is at " + path + ".");
    }
    call.send(200, Json.object());
  }
}
