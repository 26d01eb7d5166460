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
import java.util.concurrent.atomic.AtomicInteger;
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
  private final AtomicInteger good = new AtomicInteger();

  @AfterEach
  void end() throws IOException {
    gate.countDown();
    for (Socket each : sockets) {
      each.close();
    }
  }

  /** Bounds with so many waits, and so many bytes of requests and of answers. */
  static HttpEndpoint.Bounds bounds(Turns.Bounds turns, int waits, long bytes) {
    return new HttpEndpoint.Bounds(
        turns,
        new ClientWaits.Bounds(waits, bytes, bytes, bytes, 60, 900),
        new Connections.Bounds(4000, 0, 4000, 8192),
        Connections.Patience.USUAL);
  }

  private HttpEndpoint endpoint(int queue, int waits, long bytes) throws IOException {
    Turns.Bounds turns = new Turns.Bounds(1, 8, queue);
    return endpoint(bounds(turns, waits, bytes), new Turns("http", turns));
  }

  private HttpEndpoint endpoint(HttpEndpoint.Bounds bounds, Turns turns) throws IOException {
    return new HttpEndpoint(
        new SystemSeams(),
        HttpEndpoint.Options.plain(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
        bounds,
        turns,
        call -> {
          byte[] answer = new byte[4];
          switch (call.path()) {
            case "/echo" -> call.body().readAllBytes();
            case "/big" -> answer = new byte[32 << 20];
            case "/blocked" -> awaitGate();
            case "/good" -> good.incrementAndGet();
            default -> {}
          }
          call.send(200, "text/plain", answer);
        },
        failure -> HttpRefusal.defect(),
        List.of());
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
    ClientWaits waits = endpoint.waits();
    return String.format(
        "%d run, %d wait, %d and %d bytes, %d cut off, %d turns",
        endpoint.running(),
        waits.count(),
        waits.requestBytes(),
        waits.answerBytes(),
        waits.cutOff(),
        endpoint.turns().free());
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
    try (HttpEndpoint endpoint = endpoint(10, 500, 1L << 30)) {
      for (int i = 0; i < 40; i++) {
        send(endpoint, HALF);
        send(endpoint, HALF_BODY + "{");
      }
      send(endpoint, BIG);
      send(endpoint, BIG);
      await(endpoint, () -> endpoint.waits().count() == 82 && endpoint.running() == 42);
      assertThat(get(endpoint, "/good")).isEqualTo(200);
      // Slow is not wrong: the rest may still come.
      Socket half = sockets.get(0);
      write(half, "yes\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(firstLine(half)).isEqualTo("HTTP/1.1 200 OK");
    }
  }

  @Test
  void theOneThatBeganFirstMakesRoomWhenTooManyAreWaitedFor() throws Exception {
    try (HttpEndpoint endpoint = endpoint(10, 3, 1L << 30)) {
      for (int i = 0; i < 3; i++) {
        int there = i + 1;
        send(endpoint, i == 1 ? BIG : HALF);
        await(endpoint, () -> endpoint.waits().count() == there && endpoint.turns().free() == 1);
      }
      Socket last = send(endpoint, HALF);
      await(endpoint, () -> endpoint.waits().cutOff() == 1);
      assertThat(isEnded(sockets.get(0))).isTrue();
      write(last, "yes\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(firstLine(last)).isEqualTo("HTTP/1.1 200 OK");
      // It has its answer sooner than it has made room.
      await(endpoint, () -> endpoint.waits().count() == 2);
      send(endpoint, HALF);
      send(endpoint, HALF);
      await(endpoint, () -> endpoint.waits().cutOff() == 2 && endpoint.running() == 0);
      assertThat(get(endpoint, "/good")).isEqualTo(200);
    }
  }

  @Test
  void bodiesOfSlowClientsFillNoMoreThanTheirShareOfTheMemory() throws Exception {
    try (HttpEndpoint endpoint = endpoint(10, 500, 1_000_000)) {
      byte[] most = new byte[700_000];
      Socket first = send(endpoint, HALF_BODY);
      write(first, most);
      await(endpoint, () -> endpoint.waits().requestBytes() >= 700_000);
      Socket second = send(endpoint, HALF_BODY);
      write(second, most);
      await(endpoint, () -> endpoint.waits().cutOff() == 1);
      assertThat(isEnded(first)).isTrue();
      write(second, new byte[1_300_000]);
      assertThat(firstLine(second)).isEqualTo("HTTP/1.1 200 OK");
    }
  }

  /**
   * Nothing is lost of what is not read for a while, and who has gone meanwhile holds nobody up.
   */
  @Test
  void nothingIsReadWhileTooManyRequestsAreUnderWay() throws Exception {
    Turns.Bounds turns = new Turns.Bounds(1, 8, 100);
    HttpEndpoint.Bounds usual = bounds(turns, 500, 1L << 30);
    HttpEndpoint.Bounds few =
        new HttpEndpoint.Bounds(
            turns, usual.waits(), new Connections.Bounds(4000, 0, 8, 4), usual.patience());
    try (HttpEndpoint endpoint = endpoint(few, new Turns("http", turns))) {
      for (int i = 0; i < 4; i++) {
        send(endpoint, "GET /blocked HTTP/1.1\r\nHost: here\r\n\r\n");
      }
      await(endpoint, () -> endpoint.running() == 4);
      Socket gone = send(endpoint, "GET /good HTTP/1.1\r\nHost: here\r\n\r\n");
      List<Socket> later = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        later.add(send(endpoint, "GET /good HTTP/1.1\r\nHost: here\r\n\r\n"));
      }
      await(endpoint, () -> endpoint.connections().paused() == 21);
      assertThat(endpoint.running()).isEqualTo(4);
      gone.setSoLinger(true, 0);
      gone.close();
      gate.countDown();
      for (Socket each : later) {
        assertThat(firstLine(each)).isEqualTo("HTTP/1.1 200 OK");
      }
      assertThat(good.get()).isBetween(20, 21);
    }
  }

  @Test
  void theEndWaitsForWorkThatHasBegunAndForNothingElse() throws Exception {
    try (HttpEndpoint endpoint = endpoint(10, 500, 1L << 30)) {
      send(endpoint, HALF);
      send(endpoint, HALF_BODY);
      await(endpoint, () -> endpoint.waits().count() == 2 && endpoint.running() == 1);
      assertThat(endpoint.drain(Duration.ofSeconds(30))).isTrue();
      send(endpoint, "GET /blocked HTTP/1.1\r\nHost: here\r\n\r\n");
      await(endpoint, () -> endpoint.running() == 2);
      assertThat(endpoint.drain(Duration.ofMillis(100))).isFalse();
    }
  }

  @Test
  void nothingIsDoneForClientsThatHaveGone() throws Exception {
    try (HttpEndpoint endpoint = endpoint(10, 500, 1L << 30)) {
      send(endpoint, "GET /blocked HTTP/1.1\r\nHost: here\r\n\r\n");
      await(endpoint, () -> endpoint.turns().free() == 0);
      for (int i = 0; i < 5; i++) {
        send(endpoint, "GET /good HTTP/1.1\r\nHost: here\r\n\r\n");
      }
      await(endpoint, () -> endpoint.running() == 6);
      for (Socket each : sockets.subList(1, 6)) {
        each.setSoLinger(true, 0);
        each.close();
      }
      await(endpoint, () -> endpoint.running() == 1);
      gate.countDown();
      assertThat(get(endpoint, "/good")).isEqualTo(200);
      assertThat(good.get()).isEqualTo(1);
    }
  }

  @Test
  void whoWouldHaveToWaitTooLongIsToldSo() throws Exception {
    try (HttpEndpoint endpoint = endpoint(0, 500, 1L << 30)) {
      HttpResponse<Void> refused = answer(endpoint, "/good");
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.headers().firstValue("Retry-After")).contains("1");
    }
  }

  /** Whoever comes while the system has no more threads is served by those that there are. */
  @Test
  void othersAreServedWhenTheSystemHasNoMoreThreads() throws Exception {
    Semaphore threads = new Semaphore(1);
    Turns.Bounds turns = new Turns.Bounds(3, 8, 10);
    try (HttpEndpoint endpoint =
        endpoint(bounds(turns, 500, 1L << 30), new Turns(turns, body -> start(threads, body)))) {
      for (int i = 0; i < 40; i++) {
        send(endpoint, HALF_BODY);
      }
      send(endpoint, "GET /blocked HTTP/1.1\r\nHost: here\r\n\r\n");
      await(endpoint, () -> endpoint.turns().free() == 2);
      Socket later = send(endpoint, "GET /good HTTP/1.1\r\nHost: here\r\n\r\n");
      await(endpoint, () -> endpoint.running() == 42);
      gate.countDown();
      assertThat(firstLine(later)).isEqualTo("HTTP/1.1 200 OK");
      await(endpoint, () -> isServed(endpoint));
    }
  }

  @Test
  void withoutAnyThreadItIsSaid() throws Exception {
    Semaphore threads = new Semaphore(0);
    Turns.Bounds turns = new Turns.Bounds(3, 8, 10);
    try (HttpEndpoint endpoint =
        endpoint(bounds(turns, 500, 1L << 30), new Turns(turns, body -> start(threads, body)))) {
      assertThat(get(endpoint, "/good")).isEqualTo(503);
      threads.release();
      assertThat(get(endpoint, "/good")).isEqualTo(200);
    }
  }

  private static Thread start(Semaphore threads, Runnable body) {
    if (!threads.tryAcquire()) {
      throw new OutOfMemoryError("unable to create native thread");
    }
    return new Thread(body);
  }
}
