package io.braid.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.runtime.SystemSeams;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** Answers over HTTP. */
class HttpEndpointTest {
  /** Fault 58: a request that the code is too small for, such as one nested too deeply. */
  @Test
  void anErrorIsAnsweredAndTheNextRequestToo() throws Exception {
    HttpEndpoint.Options options =
        new HttpEndpoint.Options(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1, null, false);
    try (HttpEndpoint endpoint =
        new HttpEndpoint(
            new SystemSeams(),
            options,
            call -> {
              if (call.path().equals("/bad")) {
                throw new StackOverflowError("on purpose");
              }
              call.send(200, Json.object().put("fine", true));
            },
            failure -> HttpRefusal.defect())) {
      HttpResponse<String> failed = get(endpoint, "/bad");
      assertThat(failed.statusCode()).isEqualTo(500);
      assertThat(failed.body()).contains("\"error\":\"defect\"").doesNotContain("purpose");
      assertThat(get(endpoint, "/good").statusCode()).isEqualTo(200);
    }
  }

  /** The JDK would warn of each, so that whoever asks so fills the log. */
  @Test
  void headIsAnsweredWithoutABodyAndWithoutAWarning() throws Exception {
    List<String> warnings = new CopyOnWriteArrayList<>();
    Handler heard =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            warnings.add(line.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger log = Logger.getLogger("com.sun.net.httpserver");
    log.addHandler(heard);
    HttpEndpoint.Options any =
        HttpEndpoint.Options.plain(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    try (HttpEndpoint endpoint =
        new HttpEndpoint(
            new SystemSeams(),
            any,
            call -> call.send(200, Json.object().put("fine", true)),
            failure -> HttpRefusal.defect())) {
      HttpRequest head =
          HttpRequest.newBuilder(uri(endpoint, "/"))
              .method("HEAD", HttpRequest.BodyPublishers.noBody())
              .timeout(Duration.ofSeconds(20))
              .build();
      HttpResponse<String> answer = HttpClient.newHttpClient().send(head, BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).isEmpty();
    } finally {
      log.removeHandler(heard);
    }
    assertThat(warnings).isEmpty();
  }

  @Test
  void anAddressThatIsTakenIsNamed() throws Exception {
    HttpEndpoint.Options any =
        HttpEndpoint.Options.plain(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    try (HttpEndpoint first = open(any)) {
      HttpEndpoint.Options taken = HttpEndpoint.Options.plain(first.address());
      assertThatThrownBy(() -> open(taken))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(":" + first.address().getPort() + ": ")
          .hasMessageContaining("Choose another port");
    }
  }

  private static HttpEndpoint open(HttpEndpoint.Options options) throws IOException {
    return new HttpEndpoint(
        new SystemSeams(), options, call -> {}, failure -> HttpRefusal.defect());
  }

  private static HttpResponse<String> get(HttpEndpoint endpoint, String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(uri(endpoint, path)).timeout(Duration.ofSeconds(30)).build(),
            BodyHandlers.ofString());
  }

  private static URI uri(HttpEndpoint endpoint, String path) {
    return URI.create("http://127.0.0.1:" + endpoint.address().getPort() + path);
  }
}
