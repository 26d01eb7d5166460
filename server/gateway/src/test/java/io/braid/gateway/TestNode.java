package io.braid.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.braid.gateway.node.NodeConfig;
import io.braid.gateway.node.ServerNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A whole node on a free port of this machine, and somebody who asks it. */
public final class TestNode implements AutoCloseable {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ServerNode node;
  private final String token;

  /** What was answered. */
  public record Answer(int status, String text, String retryAfter) {
    public JsonNode json() {
      try {
        return JSON.readTree(text);
      } catch (IOException e) {
        throw new AssertionError("No JSON: " + text, e);
      }
    }

    public String error() {
      return json().path("error").asText();
    }
  }

  private TestNode(ServerNode node, String token) {
    this.node = node;
    this.token = token;
  }

  /** Starts one with settings, as key, value, key, value. */
  public static TestNode start(Path directory, String... settings) throws IOException {
    return start(Optional.empty(), directory, settings);
  }

  /** Starts one with a configuration file too. */
  public static TestNode start(Optional<Path> file, Path directory, String... settings)
      throws IOException {
    Map<String, String> set = new LinkedHashMap<>();
    set.put("server.listen", "127.0.0.1:0");
    set.put("server.data", directory.resolve("data").toString());
    set.put("server.stores", directory.resolve("stores").toString());
    set.put("server.backups", directory.resolve("backups").toString());
    set.put("store.memory", "16 MiB");
    for (int i = 0; i < settings.length; i += 2) {
      set.put(settings[i], settings[i + 1]);
    }
    return new TestNode(new ServerNode(NodeConfig.load(file, set)), "");
  }

  /** The same node, asked with a token. */
  public TestNode as(String other) {
    return new TestNode(node, other);
  }

  public ServerNode node() {
    return node;
  }

  public URI uri(String path) {
    return URI.create(node.url() + path);
  }

  /** Asks, with single quotes in the body standing for double ones. */
  public Answer ask(String method, String path, String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path))
            .method(
                method,
                body.isEmpty()
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString(body.replace('\'', '"')));
    if (!body.isEmpty()) {
      request.header("Content-Type", "application/json");
    }
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      HttpResponse<String> response = CLIENT.send(request.build(), BodyHandlers.ofString());
      return new Answer(
          response.statusCode(),
          response.body(),
          response.headers().firstValue("Retry-After").orElse(""));
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(method + " " + path + " was not answered.", e);
    }
  }

  public Answer get(String path) {
    return ask("GET", path, "");
  }

  public Answer post(String path, String body) {
    return ask("POST", path, body);
  }

  public Answer put(String path, String body) {
    return ask("PUT", path, body);
  }

  @Override
  public void close() {
    node.close();
  }
}
