package io.braid.serving.net;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.core.failure.ErrorCode;
import io.braid.http.Json;
import io.braid.serving.ServingException;
import io.braid.serving.node.CanaryPlan;
import io.braid.serving.node.CanaryReport;
import io.braid.serving.node.LiveVersion;
import io.braid.serving.node.MissedPush;
import io.braid.serving.push.PushNode;
import io.braid.serving.rebalance.Batch;
import io.braid.serving.rebalance.NodeStores;
import io.braid.serving.rebalance.RebalanceNode;
import io.braid.serving.rebalance.StolenVersion;
import io.braid.serving.ring.Topology;
import io.braid.serving.ring.TopologyText;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A node, asked over HTTP. */
public final class HttpNode implements PushNode, RebalanceNode {
  private static final int OK = 200;
  private static final Duration SHORT = Duration.ofSeconds(30);
  private static final Duration LONG = Duration.ofMinutes(30);

  /** A large version is read through as slowly as it came in. */
  private static final Duration READ_THROUGH = Duration.ofHours(6);

  private final int id;
  private final URI address;
  private final String token;
  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

  /**
   * @param address as {@code http://host:port}
   * @param token the node's; empty if it has none
   */
  public HttpNode(String address, String token) {
    this(0, address, token);
  }

  /**
   * @param id the number of its folder in what is pushed
   */
  public HttpNode(int id, String address, String token) {
    if (!address.matches("https?://[^/]+/?")) {
      throw new IllegalArgumentException("'" + address + "' is no node: write http://HOST:PORT.");
    }
    this.address = URI.create(address.endsWith("/") ? address : address + "/");
    this.token = token;
    this.id = id;
  }

  @Override
  public String name() {
    return address.getAuthority();
  }

  @Override
  public int id() {
    return id;
  }

  @Override
  public void lease(String store, String push, Duration length) throws IOException {
    post(store, "lease", Json.object().put("push", push).put("millis", length.toMillis()), SHORT);
  }

  @Override
  public void release(String store, String push) throws IOException {
    post(store, "release", Json.object().put("push", push), SHORT);
  }

  @Override
  public State state(String store, String push) throws IOException {
    JsonNode answer = get("stores/" + store + "/pushes/" + push);
    return new State(
        answer.path("next").asLong(),
        answer.path("live").asLong(),
        answer.path("flips").asLong(-1),
        answer.path("pushed").asLong(),
        answer.path("self").asInt(id) != id);
  }

  @Override
  public void fetch(String store, String push, String from, long version, boolean peers)
      throws IOException {
    ObjectNode body = Json.object().put("push", push).put("from", from).put("version", version);
    body.put("peers", peers);
    post(store, "fetch", body, SHORT);
  }

  @Override
  public Progress progress(String store) throws IOException {
    JsonNode answer = get("stores/" + store + "/fetch");
    return new Progress(
        answer.path("version").asLong(),
        answer.path("from").asText(),
        answer.path("fetched").asLong(),
        answer.path("total").asLong(),
        !answer.path("state").asText().equals("running"),
        answer.path("problem").asText());
  }

  @Override
  public void prepare(String store, String push, long version, boolean force) throws IOException {
    ObjectNode body = Json.object().put("push", push).put("version", version).put("force", force);
    post(store, "prepare", body, READ_THROUGH);
  }

  @Override
  public CanaryReport canary(String store, String push, long version, CanaryPlan plan)
      throws IOException {
    ObjectNode body = Json.object().put("push", push).put("version", version);
    body.put("share", plan.share()).put("reads", plan.reads());
    body.put("millis", plan.most().toMillis()).put("maxMissing", plan.missing());
    body.put("maxSize", plan.size()).put("maxLatency", plan.latency());
    JsonNode seen = post(store, "canary", body, LONG);
    return new CanaryReport(
        seen.path("reads").asInt(),
        seen.path("found").asInt(),
        seen.path("missing").asInt(),
        seen.path("size").asDouble(),
        seen.path("latency").asDouble());
  }

  @Override
  public void swap(
      String store,
      String push,
      long version,
      boolean force,
      long flips,
      Optional<MissedPush> missed)
      throws IOException {
    ObjectNode body = Json.object().put("push", push).put("version", version).put("force", force);
    body.put("flips", flips);
    missed.ifPresent(m -> m.encode(body.putObject("missed")));
    post(store, "swap", body, SHORT);
  }

  /** Returns the live version, and how often it has changed. */
  public LiveVersion seen(String store) throws IOException {
    JsonNode answer = versions(store);
    return new LiveVersion(answer.path("live").asLong(), answer.path("flips").asLong(-1));
  }

  /**
   * Goes back to a version that was live before; 0: the last one. A request that is late, and finds
   * that the live version has changed since, is refused.
   *
   * @param seen the version that is to be rolled back, and how often this node's had changed
   */
  public long rollBack(String store, long version, LiveVersion seen) throws IOException {
    ObjectNode body = Json.object().put("version", version);
    body.put("from", seen.live()).put("flips", seen.flips());
    return post(store, "rollback", body, SHORT).path("live").asLong();
  }

  /** Keeps a version from being deleted, or lets it go again. */
  public void pin(String store, long version, boolean pin) throws IOException {
    post(store, "pin", Json.object().put("version", version).put("off", !pin), SHORT);
  }

  /** Limits the bytes of a store's versions; 0: no limit. */
  public void limit(String store, long bytes) throws IOException {
    post(store, "quota", Json.object().put("bytes", bytes), SHORT);
  }

  /** The versions of a store, as {@code GET /stores/S/versions} has them. */
  public JsonNode versions(String store) throws IOException {
    return get("stores/" + store + "/versions");
  }

  @Override
  public void confirm(String store, String push) throws IOException {
    post(store, "confirm", Json.object().put("push", push), SHORT);
  }

  @Override
  public void takeBack(String store, long version, long flips) throws IOException {
    ObjectNode body = Json.object().put("version", version).put("flips", flips);
    post(store, "takeback", body, SHORT);
  }

  /** Makes the node a member of a cluster, or gives it a new topology. */
  public void join(int self, Topology topology) throws IOException {
    join(self, topology, false);
  }

  /**
   * Tells a node that lost its directory of a topology which all others know already: it refills
   * its read-write stores from them.
   */
  public void refill(int self, Topology topology) throws IOException {
    join(self, topology, true);
  }

  private void join(int self, Topology topology, boolean refill) throws IOException {
    ObjectNode body = Json.object().put("self", self).put("refill", refill);
    body.set("topology", TopologyText.encode(topology));
    send("cluster", body, SHORT);
  }

  @Override
  public NodeStores inventory() throws IOException {
    return NodeStores.decode(get("rebalance"));
  }

  @Override
  public void leaseCluster(String run, Duration length) throws IOException {
    move("lease", Json.object().put("run", run).put("millis", length.toMillis()));
  }

  @Override
  public void releaseCluster(String run) throws IOException {
    move("release", Json.object().put("run", run));
  }

  @Override
  public void begin(String run, Batch batch) throws IOException {
    ObjectNode body = Json.object().put("run", run).put("move", batch.id()).put("self", id);
    body.set("from", TopologyText.encode(batch.from()));
    body.set("to", TopologyText.encode(batch.to()));
    move("begin", body);
  }

  @Override
  public void steal(String run, String batch, List<StolenVersion> versions) throws IOException {
    ObjectNode body = Json.object().put("run", run).put("move", batch);
    ArrayNode list = body.putArray("versions");
    versions.forEach(version -> version.encode(list.addObject()));
    move("steal", body);
  }

  @Override
  public void install(Topology topology, String batch) throws IOException {
    ObjectNode body = Json.object().put("self", id).put("move", batch);
    body.set("topology", TopologyText.encode(topology));
    send("cluster", body, SHORT);
  }

  @Override
  public void close(String run, String batch) throws IOException {
    move("close", Json.object().put("run", run).put("move", batch));
  }

  @Override
  public void settle(String run, String batch) throws IOException {
    ObjectNode body = Json.object().put("run", run).put("move", batch);
    send("rebalance/settle", body, LONG);
  }

  private void move(String step, ObjectNode body) throws IOException {
    send("rebalance/" + step, body, SHORT);
  }

  private JsonNode get(String path) throws IOException {
    HttpResponse<InputStream> response = send(request(path, SHORT));
    try (InputStream body = response.body()) {
      return checked(response, Json.read(body, Wire.LONGEST));
    }
  }

  private JsonNode post(String store, String what, ObjectNode body, Duration timeout)
      throws IOException {
    return send("stores/" + store + "/" + what, body, timeout);
  }

  private JsonNode send(String path, ObjectNode body, Duration timeout) throws IOException {
    HttpRequest.Builder request =
        request(path, timeout)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body.toString()));
    HttpResponse<InputStream> response = send(request);
    try (InputStream answer = response.body()) {
      return checked(response, Json.read(answer));
    }
  }

  private HttpRequest.Builder request(String path, Duration timeout) {
    HttpRequest.Builder request = HttpRequest.newBuilder(address.resolve(path)).timeout(timeout);
    return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
  }

  private HttpResponse<InputStream> send(HttpRequest.Builder request) throws IOException {
    return TimedRequest.send(client, request.build(), "Interrupted while a node was asked.");
  }

  private static JsonNode checked(HttpResponse<InputStream> response, JsonNode answer) {
    if (response.statusCode() != OK) {
      throw new ServingException(
          ErrorCode.REFUSED, answer.path("message").asText("status " + response.statusCode()));
    }
    return answer;
  }
}
