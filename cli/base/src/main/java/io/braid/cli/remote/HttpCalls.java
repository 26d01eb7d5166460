package io.braid.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.http.HttpRefusal;
import io.braid.http.Json;
import io.braid.http.TimedAnswers;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Requests of one server over HTTP, in JSON. */
final class HttpCalls {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final long PAUSE_MILLIS = 50;

  private final HttpClient client = HttpClient.newBuilder().connectTimeout(CONNECT).build();
  private final URI server;
  private final String token;

  HttpCalls(URI server, String token) {
    this.server = server;
    this.token = token;
  }

  /** Sends what must not be done twice. */
  JsonNode once(String method, String path, @Nullable ObjectNode body) {
    return attempt(method, path, body, false);
  }

  /** Sends what may be sent again, until it is answered or for {@link RemoteSessions#PATIENCE}. */
  JsonNode again(String method, String path, @Nullable ObjectNode body) {
    long end = System.nanoTime() + RemoteSessions.PATIENCE.toNanos();
    boolean lost = false;
    while (true) {
      try {
        return attempt(method, path, body, lost);
      } catch (HttpFailure e) {
        lost = e.lost();
        if (!e.passes() || System.nanoTime() > end) {
          throw e;
        }
        pause();
      }
    }
  }

  private JsonNode attempt(
      String method, String path, @Nullable ObjectNode body, boolean lostBefore) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.resolve(path))
            .timeout(RemoteSessions.PATIENCE)
            .header("Content-Type", "application/json")
            .method(
                method,
                body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body.toString()));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    int status;
    byte[] told;
    try {
      HttpResponse<InputStream> response =
          client.send(request.build(), TimedAnswers.within(RemoteSessions.PATIENCE));
      status = response.statusCode();
      try (InputStream in = response.body()) {
        told = in.readAllBytes();
      }
    } catch (ConnectException e) {
      throw new HttpFailure(0, "", "The server cannot be reached.", lostBefore);
    } catch (IOException e) {
      throw new HttpFailure(0, "", "The server did not answer: " + e.getMessage(), true);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HttpFailure(499, "interrupted", "Interrupted.", true);
    }
    JsonNode answer = parse(told);
    if (status == 200 && answer.isObject() && !answer.isEmpty()) {
      return answer;
    }
    // An outcome that is not known, and a defect, which may come after the change.
    boolean lost = lostBefore || status == 200 || status == 500 || status == 504;
    throw new HttpFailure(
        status == 200 ? 0 : status,
        answer.path("error").asText(),
        answer.path("message").asText("The server answered " + status + "."),
        lost);
  }

  private static JsonNode parse(byte[] body) {
    try {
      return Json.read(body);
    } catch (IOException | HttpRefusal e) {
      return MissingNode.getInstance();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(ThreadLocalRandom.current().nextLong(PAUSE_MILLIS, 2 * PAUSE_MILLIS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
