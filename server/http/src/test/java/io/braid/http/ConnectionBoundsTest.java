package io.braid.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.runtime.SystemSeams;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Fault 62: connections are bounded, and who does not send the rest of a request, or does not take
 * its answer, is not waited for for ever.
 */
@Timeout(value = 100, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConnectionBoundsTest {
  private static final String GOOD = "GET /good HTTP/1.1\r\nHost: here\r\n\r\n";
  private static final String HALF = "GET /good HTTP/1.1\r\nHost: here\r\nX-Slow: ";
  private static final String HALF_BODY =
      "POST /good HTTP/1.1\r\nHost: here\r\nContent-Length: 2000000\r\n\r\n{";
  private static final String BIG = "GET /big HTTP/1.1\r\nHost: here\r\n\r\n";

  private static HttpEndpoint start() throws IOException {
    return new HttpEndpoint(
        new SystemSeams(),
        HttpEndpoint.Options.plain(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
        new HttpEndpoint.Bounds(
            Turns.Bounds.of(16),
            new ClientWaits.Bounds(512, 1L << 30, 1L << 30, 1L << 30, 10, 10),
            new Connections.Bounds(4, 0, 4, 8192),
            new Connections.Patience(Duration.ofMillis(100), 50, 30, 30, 30, 60)),
        call -> {
          call.body().readAllBytes();
          boolean big = call.path().equals("/big");
          call.send(200, "text/plain", new byte[big ? 32 << 20 : 4]);
        },
        failure -> HttpRefusal.defect());
  }

  private static Socket send(int port, String text) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(4096);
    socket.setSoTimeout(60_000);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static boolean isEnded(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException e) {
      return true;
    }
  }

  private static void asManyAsMayBe(HttpEndpoint endpoint) throws IOException {
    int port = endpoint.address().getPort();
    try (Socket first = send(port, "");
        Socket second = send(port, "");
        Socket third = send(port, "");
        Socket fourth = send(port, "")) {
      while (endpoint.connections().count() < 4) {
        Thread.onSpinWait();
      }
      Socket tooMany = send(port, "");
      assertThat(isEnded(tooMany)).isTrue();
      assertThat(isServed(fourth)).isTrue();
      assertThat(List.of(first, second, third)).allMatch(Socket::isConnected);
    }
  }

  private static boolean isServed(Socket socket) throws IOException {
    try {
      socket.getOutputStream().write(GOOD.getBytes(StandardCharsets.US_ASCII));
      return !isEnded(socket);
    } catch (SocketException e) {
      return false;
    }
  }

  /** Those who were there have gone, sooner or later. */
  private static void awaitRoom(int port) throws IOException {
    boolean served = false;
    while (!served) {
      try (Socket next = send(port, "")) {
        served = isServed(next);
      }
    }
  }

  @Test
  void connectionsAreBounded() throws Exception {
    try (HttpEndpoint endpoint = start()) {
      asManyAsMayBe(endpoint);
      awaitRoom(endpoint.address().getPort());
      assertThat(endpoint.connections().refused()).isPositive();
    }
  }

  @Test
  void whoIsTooSlowIsCutOff() throws Exception {
    try (HttpEndpoint endpoint = start()) {
      int port = endpoint.address().getPort();
      try (Socket half = send(port, HALF);
          Socket body = send(port, HALF_BODY);
          Socket untaken = send(port, BIG)) {
        assertThat(isEnded(half)).isTrue();
        assertThat(isEnded(body)).isTrue();
        // It has read nothing so far; what it sees of the end comes after much of the answer.
        while (endpoint.running() > 0 || endpoint.waits().count() > 0) {
          Thread.onSpinWait();
        }
        assertThat(untaken.isConnected()).isTrue();
      }
    }
  }

  @Test
  void whoAsksNothingIsCutOff() throws Exception {
    try (HttpEndpoint endpoint = start()) {
      int port = endpoint.address().getPort();
      try (Socket silent = send(port, "");
          Socket idle = send(port, GOOD)) {
        assertThat(isEnded(silent)).isTrue();
        idle.getInputStream().readNBytes(20);
        while (!isEnded(idle)) {
          // The rest of its answer.
        }
      }
    }
  }
}
