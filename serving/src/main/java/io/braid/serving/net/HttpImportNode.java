package io.braid.serving.net;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.core.data.Encoder;
import io.braid.core.failure.ErrorCode;
import io.braid.http.Json;
import io.braid.serving.ServingException;
import io.braid.serving.imports.ImportNode;
import io.braid.serving.imports.ImportStep;
import io.braid.serving.ring.Node;
import io.braid.serving.writable.ImportedTuple;
import io.braid.serving.writable.imports.ImportState;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A node that takes part in imports, asked over HTTP. */
public final class HttpImportNode implements ImportNode {
  private static final int OK = 200;
  private static final Duration SHORT = Duration.ofSeconds(30);

  /** Walks through a store. */
  private static final Duration LONG = Duration.ofHours(1);

  private final Node node;
  private final String token;
  private final HttpClient client;

  /**
   * @param token the nodes'; empty if they have none
   */
  public HttpImportNode(Node node, String token) {
    this(node, token, HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build());
  }

  HttpImportNode(Node node, String token, HttpClient client) {
    this.node = node;
    this.token = token;
    this.client = client;
  }

  @Override
  public int id() {
    return node.id();
  }

  @Override
  public String name() {
    return URI.create(node.address()).getAuthority();
  }

  @Override
  public Optional<ImportState> state(String store) throws IOException {
    ObjectNode answer = post(store, "state", BodyPublishers.ofString("{}"), SHORT);
    return answer.has("id") ? Optional.of(ImportState.decode(answer)) : Optional.empty();
  }

  @Override
  public void step(String store, ImportState ticket, ImportStep step) throws IOException {
    boolean walks = step == ImportStep.DELIVER || step == ImportStep.AGREE;
    BodyPublisher body = BodyPublishers.ofString(ticket.encode().toString());
    post(store, HttpImports.name(step), body, walks ? LONG : SHORT);
  }

  @Override
  public void take(String store, ImportState ticket, List<ImportedTuple> tuples)
      throws IOException {
    Encoder body = new Encoder().text(ticket.encode().toString());
    ImportedTuple.encode(tuples, body);
    post(store, "tuples", BodyPublishers.ofByteArray(body.finish().toArray()), SHORT);
  }

  private ObjectNode post(String store, String what, BodyPublisher body, Duration timeout)
      throws IOException {
    URI address = URI.create(node.address() + "/rw/" + store + "/import/" + what);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address)
            .timeout(timeout)
            .header("Content-Type", what.equals("tuples") ? Wire.TYPE : "application/json")
            .POST(body);
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    HttpResponse<InputStream> response =
        TimedRequest.send(client, request.build(), "Interrupted while a node was asked.");
    try (InputStream in = response.body()) {
      return checked(response.statusCode(), Json.read(in));
    }
  }

  private static ObjectNode checked(int status, ObjectNode answer) {
    String message = answer.path("message").asText("status " + status);
    if (answer.path("error").asText().equals(ErrorCode.IMPORT_BUSY.word())) {
      throw new ServingException(ErrorCode.IMPORT_BUSY, message);
    }
    if (status != OK) {
      throw new ServingException(ErrorCode.REFUSED, message);
    }
    return answer;
  }
}
