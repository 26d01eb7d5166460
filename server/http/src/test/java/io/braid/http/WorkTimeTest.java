package io.braid.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.runtime.ReadProgress;
import io.braid.core.runtime.SystemSeams;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fault 82: a read that nobody waits for comes to an end, and so does one without an end. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WorkTimeTest {
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);

  /** Reads for ever, from a store that finds nothing. */
  private HttpEndpoint open(Duration longest) throws IOException {
    HttpEndpoint.Options options =
        new HttpEndpoint.Options(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            1,
            null,
            false,
            100,
            10,
            longest,
            Optional.empty());
    return new HttpEndpoint(
        new SystemSeams(), options, this::readForEver, failure -> HttpRefusal.defect());
  }

  private void readForEver(HttpCall call) {
    try {
      AnswerMemory.reading(
          () -> {
            begun.countDown();
            while (true) {
              ReadProgress.add(0);
            }
          });
    } finally {
      ended.countDown();
    }
  }

  private static Socket send(HttpEndpoint to) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), to.address().getPort());
    socket
        .getOutputStream()
        .write(
            "GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"
                .getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  @Test
  void whatTakesTooLongIsGivenUp() throws Exception {
    try (HttpEndpoint endpoint = open(Duration.ofMillis(200));
        Socket client = send(endpoint)) {
      assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
          .contains(" 413 ", "This reads for longer than 200 ms");
    }
  }

  @Test
  void whatNobodyWaitsForIsGivenUp() throws Exception {
    try (HttpEndpoint endpoint = open(Duration.ofDays(1))) {
      Socket client = send(endpoint);
      begun.await();
      client.close();
      ended.await();
    }
  }

  @Test
  void theEndOfTheServerEndsReads() throws Exception {
    HttpEndpoint endpoint = open(Duration.ofDays(1));
    try (Socket client = send(endpoint)) {
      begun.await();
      endpoint.close();
      ended.await();
    }
  }
}
