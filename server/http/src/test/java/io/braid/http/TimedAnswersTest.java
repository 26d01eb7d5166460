package io.braid.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fault 66: who stands still in the middle of an answer is not waited for for ever. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD, unit = TimeUnit.SECONDS)
class TimedAnswersTest {
  private static final byte[] HEAD =
      "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private interface Peer {
    void answer(OutputStream to) throws IOException, InterruptedException;
  }

  private static byte[] ask(Peer peer, Duration silence) throws Exception {
    return ask(peer, silence, InputStream::readAllBytes);
  }

  private interface Reader {
    byte[] read(InputStream in) throws IOException, InterruptedException;
  }

  private static byte[] ask(Peer peer, Duration silence, Reader reader) throws Exception {
    try (ServerSocket door = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread answers =
          new Thread(
              () -> {
                try {
                  Socket socket = door.accept();
                  socket.getOutputStream().write(HEAD);
                  peer.answer(socket.getOutputStream());
                } catch (IOException | InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      answers.start();
      URI address = URI.create("http://127.0.0.1:" + door.getLocalPort() + "/");
      try (InputStream in =
          HttpClient.newHttpClient()
              .send(HttpRequest.newBuilder(address).build(), TimedAnswers.within(silence))
              .body()) {
        return reader.read(in);
      } finally {
        answers.join();
      }
    }
  }

  @Test
  void aSilenceInTheMiddleEndsIt() {
    assertThatThrownBy(() -> ask(to -> to.write(new byte[4]), Duration.ofMillis(300)))
        .isInstanceOf(HttpTimeoutException.class);
  }

  /** What goes on may take its time. */
  @Test
  void aSlowAnswerComesWhole() throws Exception {
    Peer slow =
        to -> {
          for (int i = 0; i < 8; i++) {
            Thread.sleep(200);
            to.write(i);
          }
        };
    assertThat(ask(slow, Duration.ofMillis(1000))).hasSize(8);
  }

  /** A reader that takes its time, since it is throttled, is no silence of the other end. */
  @Test
  void aSlowReaderReadsToTheEnd() throws Exception {
    Reader slow =
        in -> {
          byte[] all = new byte[8];
          for (int i = 0; i < all.length; i++) {
            Thread.sleep(120);
            assertThat(in.read(all, i, 1)).isEqualTo(1);
          }
          assertThat(in.read()).isEqualTo(-1);
          return all;
        };
    assertThat(ask(to -> to.write(new byte[8]), Duration.ofMillis(50), slow)).hasSize(8);
  }
}
