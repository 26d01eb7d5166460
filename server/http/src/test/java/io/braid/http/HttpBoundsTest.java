package io.braid.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.runtime.SystemSeams;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Faults 58 and 62: what one client may send, and how many there may be. */
@Timeout(value = 100, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HttpBoundsTest {
  private static final String BEGIN = "GET /good HTTP/1.1\r\nHost: here\r\nConnection: close\r\n";

  private final List<Socket> sockets = new ArrayList<>();
  private final AtomicInteger answered = new AtomicInteger();

  @AfterEach
  void end() throws IOException {
    for (Socket each : sockets) {
      each.close();
    }
  }

  private HttpEndpoint endpoint() throws IOException {
    return new HttpEndpoint(
        new SystemSeams(),
        HttpEndpoint.Options.plain(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
        call -> {
          answered.incrementAndGet();
          call.send(200, "text/plain", new byte[4]);
        },
        failure -> HttpRefusal.defect());
  }

  private Socket connect(HttpEndpoint to) throws IOException {
    Socket socket = new Socket();
    sockets.add(socket);
    socket.setSoTimeout(60_000);
    socket.connect(to.address());
    return socket;
  }

  /** All that comes back until the connection ends. */
  private String answer(HttpEndpoint to, String request) throws IOException {
    ByteArrayOutputStream heard = new ByteArrayOutputStream();
    try {
      Socket socket = connect(to);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      for (int next = in.read(); next >= 0; next = in.read()) {
        heard.write(next);
      }
    } catch (SocketException e) {
      // It was cut off, with something of the request unread.
    }
    return heard.toString(StandardCharsets.US_ASCII);
  }

  private static String headers(int count) {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < count; i++) {
      all.append("X-").append(i).append(": x\r\n");
    }
    return all.toString();
  }

  @Test
  void headersOfARequestAreBounded() throws IOException {
    try (HttpEndpoint endpoint = endpoint()) {
      assertThat(answer(endpoint, BEGIN + "X-Long: " + "x".repeat(60_000) + "\r\n\r\n"))
          .startsWith("HTTP/1.1 200");
      assertThat(answer(endpoint, BEGIN + headers(90) + "\r\n")).startsWith("HTTP/1.1 200");
      assertThat(answer(endpoint, BEGIN + "X-Long: " + "x".repeat(66_000) + "\r\n\r\n"))
          .doesNotContain(" 200 ");
      assertThat(answer(endpoint, BEGIN + headers(110) + "\r\n")).doesNotContain(" 200 ");
      assertThat(answer(endpoint, "GET /" + "x".repeat(66_000) + " HTTP/1.1\r\nHost: here\r\n\r\n"))
          .doesNotContain(" 200 ");
      assertThat(answered).hasValue(2);
    }
  }

  @Test
  void theUsualBounds() {
    HttpEndpoint.Bounds usual = HttpEndpoint.Bounds.of(16, 1000);
    long memory = Runtime.getRuntime().maxMemory();
    assertThat(usual.connections().connections()).isEqualTo(4000);
    assertThat(usual.connections().further()).isEqualTo(1000);
    assertThat(usual.connections().streams()).isEqualTo(Math.min(4000, (int) (memory >> 16)));
    assertThat(usual.waits())
        .isEqualTo(new ClientWaits.Bounds(512, memory / 4, memory / 8, memory / 32, 60, 900));
    assertThat(usual.patience().turn()).isEqualTo(Duration.ofSeconds(1));
  }

  /** Others in the same process may use the same libraries in their own way. */
  @Test
  void nothingIsSetForAWholeProcess() throws IOException {
    Properties before = (Properties) System.getProperties().clone();
    try (HttpEndpoint endpoint = endpoint()) {
      assertThat(answer(endpoint, BEGIN + "\r\n")).startsWith("HTTP/1.1 200");
      assertThat(System.getProperties()).isEqualTo(before);
    }
  }
}
