package io.braid.cli.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The figures of a transaction manager over HTTP. */
class MetricsPageTest {
  private static HttpResponse<String> get(MetricsPage page, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + page.port().getAsInt() + path);
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(20)).build(),
            BodyHandlers.ofString());
  }

  /** Fault 62. */
  @Test
  void halfARequestKeepsNobodyFromTheFigures() throws Exception {
    try (MetricsPage page = MetricsPage.serve("127.0.0.1:0", () -> "commits 7\n");
        Socket half = new Socket(InetAddress.getLoopbackAddress(), page.port().getAsInt())) {
      half.getOutputStream().write("GET /met".getBytes(StandardCharsets.US_ASCII));
      assertThat(get(page, "/metrics").body()).isEqualTo("commits 7\n");
      assertThat(get(page, "/").statusCode()).isEqualTo(404);
    }
  }
}
