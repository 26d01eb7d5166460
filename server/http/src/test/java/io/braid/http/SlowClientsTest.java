package io.braid.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.runtime.SystemSeams;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fault 62: clients that are slow on purpose keep nobody else from being served. */
@Timeout(value = 100, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SlowClientsTest {
  private static final String HALF = "GET /good HTTP/1.1\r\nHost: here\r\nX-Slow: ";
  private static final String HALF_BODY =
      "POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: 2000000\r\n\r\n";
  private static final String BIG = "GET /big HTTP/1.1\r\nHost: here\r\n\r\n";

  private final List<Socket> sockets = new ArrayList<>();
  private final CountDownLatch gate = new CountDownLatch(1);

  @AfterEach
  void end() throws IOException {
    gate.countDown();
    for (Socket each : sockets) {
      each.close();
    }
  }

  private HttpEndpoint endpoint(Exchanges.Bounds bounds) throws IOException {
    return endpoint(new Exchanges("http", bounds));
  }

  private HttpEndpoint endpoint(Exchanges exchanges) throws IOException {
    return new HttpEndpoint(
        new SystemSeams(),
        HttpEndpoint.Options.plain(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
        exchanges,
        call -> {
          byte[] answer = new byte[4];
          switch (call.path()) {
            case "/echo" -> call.body().readAllBytes();
            case "/big" -> answer = new byte[32 << 20];
            case "/blocked" -> awaitGate();
            default -> {}
          }
          call.send(200, "text/plain", answer);
        },
        failure -> HttpRefusal.defect());
  }

  private void awaitGate() {
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Socket send(HttpEndpoint to, String text) throws IOException {
    Socket socket = new Socket();
    sockets.add(socket);
    socket.setReceiveBufferSize(4096);
    socket.setSoTimeout(60_000);
    socket.connect(to.address());
    write(socket, text.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static void write(Socket socket, byte[] bytes) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(bytes);
    out.flush();
  }

  private static int get(HttpEndpoint from, String path) throws Exception {
    return answer(from, path).statusCode();
  }

  private static HttpResponse<Void> answer(HttpEndpoint from, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + from.address().getPort() + path);
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(60)).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.discarding());
  }

  private static boolean isEnded(Socket socket) throws IOException {
    try {
      return firstLine(socket).isEmpty();
    } catch (SocketException e) {
      return true;
    }
  }

  private static boolean isServed(HttpEndpoint endpoint) {
    try {
      return get(endpoint, "/good") == 200;
    } catch (Exception e) {
      return false;
    }
  }

  private static void await(HttpEndpoint endpoint, BooleanSupplier what) {
    long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (!what.getAsBoolean()) {
      assertThat(System.nanoTime()).as(() -> state(endpoint)).isLessThan(end);
      Thread.yield();
    }
  }

  private static String state(HttpEndpoint endpoint) {
    Exchanges exchanges = endpoint.exchanges();
    return String.format(
        "%d run, %d wait, %d bytes, %d cut off, %d turns",
        endpoint.running(),
        exchanges.waiting(),
        exchanges.held(),
        exchanges.cutOff(),
        exchanges.turns());
  }

  private static String firstLine(Socket socket) throws IOException {
    StringBuilder line = new StringBuilder();
    InputStream in = socket.getInputStream();
    for (int next = in.read(); next >= 0 && next != '\r'; next = in.read()) {
      line.append((char) next);
    }
    return line.toString();
  }

  @Test
  void othersAreServedBesideHalfRequestsAndAnswersThatNobodyTakes() throws Exception {
    try (HttpEndpoint endpoint = endpoint(new Exchanges.Bounds(1, 8, 10, 500, 1L << 30))) {
      for (int i = 0; i < 40; i++) {
        send(endpoint, HALF);
        send(endpoint, HALF_BODY + "{");
      }
      send(endpoint, BIG);
      send(endpoint, BIG);
      await(endpoint, () -> endpoint.exchanges().waiting() == 82 && endpoint.running() == 42);
      assertThat(get(endpoint, "/good")).isEqualTo(200);
      // Slow is not wrong: the rest may still come.
      Socket half = sockets.get(0);
      write(half, "yes\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(firstLine(half)).isEqualTo("HTTP/1.1 200 OK");
    }
  }

  @Test
  void theOneThatBeganFirstMakesRoomWhenTooManyAreWaitedFor() throws Exception {
    try (HttpEndpoint endpoint = endpoint(new Exchanges.Bounds(1, 8, 10, 3, 1L << 30))) {
      for (int i = 0; i < 3; i++) {
        int there = i + 1;
        send(endpoint, i == 1 ? BIG : HALF);
        await(
            endpoint,
            () -> endpoint.exchanges().waiting() == there && endpoint.exchanges().turns() == 1);
      }
      Socket last = send(endpoint, HALF);
      await(endpoint, () -> endpoint.exchanges().cutOff() == 1);
      assertThat(firstLine(sockets.get(0))).isEmpty();
      write(last, "yes\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(firstLine(last)).isEqualTo("HTTP/1.1 200 OK");
      // It has its answer sooner than it has made room.
      await(endpoint, () -> endpoint.exchanges().waiting() == 2);
      send(endpoint, HALF);
      send(endpoint, HALF);
      await(endpoint, () -> endpoint.exchanges().cutOff() == 2 && endpoint.running() == 0);
      assertThat(get(endpoint, "/good")).isEqualTo(200);
    }
  }

  @Test
  void bodiesOfSlowClientsFillNoMoreThanTheirShareOfTheMemory() throws Exception {
    try (HttpEndpoint endpoint = endpoint(new Exchanges.Bounds(1, 8, 10, 500, 1_000_000))) {
      byte[] most = new byte[700_000];
      Socket first = send(endpoint, HALF_BODY);
      write(first, most);
      await(endpoint, () -> endpoint.exchanges().held() == 700_000);
      Socket second = send(endpoint, HALF_BODY);
      write(second, most);
      await(endpoint, () -> endpoint.exchanges().cutOff() == 1);
      assertThat(firstLine(first)).isEmpty();
      write(second, new byte[1_300_000]);
      assertThat(firstLine(second)).isEqualTo("HTTP/1.1 200 OK");
    }
  }

  @Test
  void whoWouldHaveToWaitTooLongIsToldSo() throws Exception {
    try (HttpEndpoint endpoint = endpoint(new Exchanges.Bounds(1, 8, 0, 500, 1L << 30))) {
      HttpResponse<Void> refused = answer(endpoint, "/good");
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.headers().firstValue("Retry-After")).contains("1");
    }
  }

  @Test
  void theFirstMakesRoomWhenTheSystemHasNoMoreThreads() throws Exception {
    int most = 2;
    Semaphore threads = new Semaphore(most);
    Exchanges exchanges =
        new Exchanges(
            new Exchanges.Bounds(1, 8, 10, 500, 1L << 30),
            body -> {
              if (!threads.tryAcquire()) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              return new Thread(body);
            });
    try (HttpEndpoint endpoint = endpoint(exchanges)) {
      for (int i = 1; i <= most; i++) {
        int there = i;
        send(endpoint, HALF);
        await(endpoint, () -> endpoint.exchanges().waiting() == there);
      }
      Socket refused = send(endpoint, HALF);
      await(
          endpoint,
          () -> endpoint.exchanges().cutOff() == 1 && endpoint.exchanges().waiting() == 1);
      assertThat(firstLine(sockets.get(0))).isEmpty();
      assertThat(isEnded(refused)).isTrue();
      // The thread of the first one serves whoever comes once it is idle.
      await(endpoint, () -> isServed(endpoint));
    }
  }
}
