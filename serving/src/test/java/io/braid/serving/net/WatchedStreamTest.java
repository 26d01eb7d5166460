package io.braid.serving.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.runtime.SystemSeams;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process that stands still keeps the connections that it has, and says nothing more. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD, unit = TimeUnit.SECONDS)
class WatchedStreamTest {
  private static final byte[] PART =
      "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsome".getBytes(StandardCharsets.US_ASCII);

  @Test
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
      HttpSource source = new HttpSource(new SystemSeams(), folder, Duration.ofSeconds(3));
      try (InputStream in = source.open("file", 0)) {
        assertThat(in.readNBytes(4)).asString().isEqualTo("some");
        assertThatThrownBy(in::read).hasMessageContaining("Nothing came for long");
      }
      answers.join();
    }
  }

  /** A reader that takes its time, since it is throttled, is no silence of the other end. */
  @Test
  void aSlowReaderReadsToTheEnd() throws Exception {
    try (InputStream in =
        WatchedStream.of(
            new SystemSeams(), new ByteArrayInputStream(new byte[3]), Duration.ofMillis(50))) {
      for (int i = 0; i < 3; i++) {
        Thread.sleep(120);
        assertThat(in.read()).isZero();
      }
      assertThat(in.read()).isEqualTo(-1);
    }
  }
}
