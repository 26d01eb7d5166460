package io.braid.serving.net;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.serving.push.PushNode;
import io.braid.serving.ring.Topology;
import io.braid.serving.ring.TopologyText;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** A node, asked over HTTP. */
public final class HttpNode implements PushNode {
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final Duration SHORT = Duration.ofSeconds(30);
  private static final Duration LONG = Duration.ofMinutes(30);

  private final URI address;
  private final String token;
  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

  /**
   * @param address as {@code http://host:port}
   * @param token the node's; empty if it has none
   */
  public HttpNode(String address, String token) {
    if (!address.matches("https?://[^/]+/?")) {
      throw new IllegalArgumentException("'" + address + "' is no node: write http://HOST:PORT.");
    }
    this.address = URI.create(address.endsWith("/") ? address : address + "/");
    this.token = token;
  }

  @Override
  public String name() {
    return address.getAuthority();
  }

  @Override
  public long next(String store) throws IOException {
    HttpResponse<InputStream> response = send(request("stores/" + store + "/versions", SHORT));
    try (InputStream body = response.body()) {
      JsonNode answer = Json.read(body);
      if (response.statusCode() == NOT_FOUND) {
        return 1;
      }
      return checked(response, answer).path("next").asLong();
    }
  }

  @Override
  public void fetch(String store, String from, long version) throws IOException {
    post(store, "fetch", Json.object().put("from", from).put("version", version), SHORT);
  }

  @Override
  public Progress progress(String store) throws IOException {
    HttpResponse<InputStream> response = send(request("stores/" + store + "/fetch", SHORT));
    try (InputStream body = response.body()) {
      JsonNode answer = checked(response, Json.read(body));
      return new Progress(
          answer.path("fetched").asLong(),
          answer.path("total").asLong(),
          !answer.path("state").asText().equals("running"),
          answer.path("problem").asText());
    }
  }

  @Override
  public void prepare(String store, long version, boolean force) throws IOException {
    post(store, "prepare", Json.object().put("version", version).put("force", force), LONG);
  }

  @Override
  public void swap(String store, long version, boolean force) throws IOException {
    post(store, "swap", Json.object().put("version", version).put("force", force), SHORT);
  }

  @Override
  public void takeBack(String store, long version) throws IOException {
    post(store, "takeback", Json.object().put("version", version), SHORT);
  }

  /** Makes the node a member of a cluster, or tells it a new topology. */
  public void join(int self, Topology topology) throws IOException {
    ObjectNode body = Json.object().put("self", self);
    body.set("topology", TopologyText.encode(topology));
    send("cluster", body, SHORT);
  }

  private void post(String store, String what, ObjectNode body, Duration timeout)
      throws IOException {
    send("stores/" + store + "/" + what, body, timeout);
  }

  private void send(String path, ObjectNode body, Duration timeout) throws IOException {
    HttpRequest.Builder request =
        request(path, timeout)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body.toString()));
    HttpResponse<InputStream> response = send(request);
    try (InputStream answer = response.body()) {
      checked(response, Json.read(answer));
    }
  }

  private HttpRequest.Builder request(String path, Duration timeout) {
    HttpRequest.Builder request = HttpRequest.newBuilder(address.resolve(path)).timeout(timeout);
    return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
  }

  private HttpResponse<InputStream> send(HttpRequest.Builder request) throws IOException {
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while a node was asked.");
    }
  }

  private static JsonNode checked(HttpResponse<InputStream> response, JsonNode answer) {
    if (response.statusCode() != OK) {
      throw new NodeRefusedException(
          answer.path("message").asText("status " + response.statusCode()));
    }
    return answer;
  }
}
