package io.braid.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.runtime.SystemSeams;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fault 62: who waits for other nodes keeps nobody from being served, those nodes least of all. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RemoteCallKindTest {
  private static final int AT_A_TIME = 30;

  /** {@code /outer} asks {@code /replica} here, which asks {@code /mirror} here. */
  private static HttpEndpoint endpoint() throws IOException {
    HttpClient inner = HttpClient.newHttpClient();
    return new HttpEndpoint(
        new SystemSeams(),
        HttpEndpoint.Options.plain(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
        SlowClientsTest.bounds(new Turns.Bounds(2, 3, 500), 500, 1L << 30),
        call -> {
          String host = call.header("Host");
          String answer =
              switch (call.path()) {
                case "/outer" -> RemoteCallKind.NODES.during(() -> get(inner, host, "/replica"));
                case "/replica" -> RemoteCallKind.MIRROR.during(() -> get(inner, host, "/mirror"));
                default -> "there";
              };
          call.send(200, Json.object().put("is", answer));
        },
        failure -> new HttpRefusal(500, "failed", String.valueOf(failure.getMessage())));
  }

  private static String get(HttpClient client, String host, String path) throws IOException {
    try {
      HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + host + path)).build();
      return client.send(request, BodyHandlers.ofString()).body();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void thoseWhoAskTakeNoTurnFromThoseWhoAreAsked() throws Exception {
    try (HttpEndpoint endpoint = endpoint()) {
      HttpClient client = HttpClient.newHttpClient();
      URI outer = URI.create("http://127.0.0.1:" + endpoint.address().getPort() + "/outer");
      List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
      for (int i = 0; i < AT_A_TIME; i++) {
        answers.add(
            client.sendAsync(HttpRequest.newBuilder(outer).build(), BodyHandlers.ofString()));
      }
      for (CompletableFuture<HttpResponse<String>> answer : answers) {
        assertThat(answer.get(30, TimeUnit.SECONDS).body()).contains("there");
      }
      while (endpoint.running() > 0) {
        Thread.onSpinWait();
      }
      assertThat(endpoint.turns().free()).isEqualTo(2);
    }
  }
}
