package io.braid.serving.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A fetch over HTTP does not hang with the one that it fetches from. */
class HttpSourceTest {
  private static final byte[] PART =
      "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsome".getBytes(StandardCharsets.US_ASCII);

  @Test
  @Timeout(30)
  void whoTakesARequestAndSaysNothingIsGivenUp() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      URI folder = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/");
      HttpSource source = new HttpSource(folder, Duration.ofMillis(100));
      assertThatThrownBy(() -> source.open(".metadata", 0)).isInstanceOf(IOException.class);
    }
  }

  /** A process that stands still keeps the connections that it has, and says nothing more. */
  @Test
  @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void whoFallsSilentInTheMiddleOfAFileIsNotWaitedForForEver() throws Exception {
    try (ServerSocket door = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread answers =
          new Thread(
              () -> {
                try {
                  Socket socket = door.accept();
                  socket.getOutputStream().write(PART);
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              });
      answers.start();
      URI folder = URI.create("http://127.0.0.1:" + door.getLocalPort() + "/");
      HttpSource source = new HttpSource(folder, Duration.ofSeconds(3));
      try (InputStream in = source.open("file", 0)) {
        assertThat(in.readNBytes(4)).asString().isEqualTo("some");
        assertThatThrownBy(in::read).hasMessageContaining("Nothing came for long");
      }
      answers.join();
    }
  }
}
