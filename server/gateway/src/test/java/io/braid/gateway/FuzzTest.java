package io.braid.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.Braid;
import io.braid.BraidConfig;
import io.braid.core.runtime.SystemSeams;
import io.braid.gateway.access.Access;
import io.braid.gateway.access.AuditLog;
import io.braid.gateway.api.Api;
import io.braid.gateway.metrics.Telemetry;
import io.braid.gateway.transactions.OpenTransactions;
import io.braid.gateway.transactions.SignedIds;
import io.braid.http.HttpEndpoint;
import io.braid.percolator.garbage.Rate;
import io.braid.serving.net.NodeService;
import io.braid.serving.node.NodeDirectory;
import io.braid.testkit.MemoryStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fault 58: whatever is sent is answered by a refusal or cut off, never by a defect, and nothing of
 * it stays in memory. {@code -Dbraid.frames=1000000 -Dbraid.seed=N} for a long run.
 */
class FuzzTest {
  private static final int FRAMES = Integer.getInteger("braid.frames", 30_000);
  private static final long SEED = Long.getLong("braid.seed", 1);
  private static final List<String> METHODS = List.of("GET", "POST");
  private static final List<String> RARE = List.of("PUT", "DELETE", "PATCH");
  private static final List<String> PATHS =
      List.of(
          "/v1/tables",
          "/v1/tables/t",
          "/v1/tables/t/rows/r",
          "/v1/tables/t/rows?limit=3&after=r",
          "/v1/tables/t/rows/r/explanation?versions=2",
          "/v1/transactions/run",
          "/v1/transactions",
          "/v1/transactions/0123456789abcdef0123456789abcdef/operations",
          "/v1/transactions/0123456789abcdef0123456789abcdef/commit",
          "/v1/outcomes/1234-AQRm",
          "/v1/requests/12345678",
          "/v1/observers/o/pause",
          "/v1/status",
          "/stores/people/keys/1",
          "/stores/people/swap",
          "/readyz",
          "/");
  private static final List<String> BODIES =
      List.of(
          "{\"operations\":[{\"op\":\"set\",\"table\":\"t\",\"row\":\"r\",\"columns\":{\"f:q\":\"v\"}}]}",
          "{\"operations\":[{\"op\":\"get\",\"table\":\"t\",\"row\":\"r\",\"columns\":[\"f:q\"]}]}",
          "{\"operations\":[{\"op\":\"scan\",\"table\":\"t\",\"prefix\":\"r\",\"limit\":3}]}",
          "{\"operations\":[{\"op\":\"expect\",\"table\":\"t\",\"row\":\"r\",\"columns\":{\"f:q\":null}}],\"request\":\"12345678\"}",
          "{\"lease\":\"1 s\"}",
          "{\"families\":[\"f\"],\"protocol\":\"percolator\"}",
          "{}");

  @TempDir Path dir;
  private final Random random = new Random(SEED);

  @Test
  void whateverIsSentIsAnsweredAndLeavesNothing() throws Exception {
    SystemSeams seams = new SystemSeams();
    try (Braid db = Braid.over(new MemoryStore(), BraidConfig.defaults());
        NodeDirectory directory = NodeDirectory.own(dir, seams);
        NodeService stores = new NodeService(seams, directory, NodeService.Options.defaults());
        Gateway gateway = gateway(seams, db, stores)) {
      db.ensureTable("t", "f");
      frames(gateway, FRAMES / 10);
      db.ensureTable("t", "f");
      long before = used();
      frames(gateway, FRAMES - FRAMES / 10);
      connections(gateway.address(), Math.min(2_000, FRAMES / 100));
      assertThat(used() - before).as("bytes that stayed").isLessThan(24L << 20);
      FakeExchange last = new FakeExchange("GET", URI.create("/v1/tables"), new byte[0]);
      gateway.handle(last);
      assertThat(last.getResponseCode()).isEqualTo(200);
    }
  }

  private static Gateway gateway(SystemSeams seams, Braid db, NodeService stores)
      throws IOException {
    return new Gateway(
        new Gateway.Services(seams, db, stores, Telemetry.off()),
        options(),
        new Access(null, false),
        new AuditLog(seams, null));
  }

  static Gateway.Options options() {
    return new Gateway.Options(
        HttpEndpoint.Options.plain(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
        new OpenTransactions.Bounds(
            Duration.ofMillis(100), Duration.ofSeconds(1), 100, 100, 1 << 20, 1 << 20),
        new Api.Bounds(
            1 << 16,
            100,
            10,
            Duration.ofDays(1),
            Path.of("none"),
            new Api.Loads(Path.of("none"), Optional.empty(), 1)),
        Duration.ofDays(1),
        Rate.UNLIMITED,
        SignedIds.ofProcess());
  }

  private void frames(Gateway gateway, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      String method = random.nextInt(500) == 0 ? one(RARE) : one(METHODS);
      String path = random.nextInt(4) == 0 ? mutated(one(PATHS)) : one(PATHS);
      String body = random.nextInt(4) == 0 ? one(BODIES) : mutated(one(BODIES));
      URI uri;
      try {
        uri = new URI(path);
      } catch (URISyntaxException e) {
        continue;
      }
      FakeExchange exchange =
          new FakeExchange(method, uri, body.getBytes(StandardCharsets.ISO_8859_1));
      gateway.handle(exchange);
      assertThat(exchange.getResponseCode())
          .as("seed %s: %s %s %s answered %s", SEED, method, path, body, exchange.answer())
          .isNotIn(-1, 500, 502, 504);
    }
  }

  private String one(List<String> of) {
    return of.get(random.nextInt(of.size()));
  }

  /** Some changes at random: characters replaced, left out, repeated; parts cut off or doubled. */
  private String mutated(String text) {
    StringBuilder changed = new StringBuilder(text);
    for (int n = random.nextInt(4); n >= 0 && changed.length() > 1; n--) {
      int at = random.nextInt(changed.length());
      switch (random.nextInt(6)) {
        case 0 -> changed.setCharAt(at, (char) random.nextInt(256));
        case 1 -> changed.deleteCharAt(at);
        case 2 -> changed.insert(at, changed.charAt(at));
        case 3 -> changed.setLength(at);
        case 4 -> changed.insert(at, changed.substring(at));
        default -> changed.insert(at, one(List.of("[", "{", "\\", "\"", "-1", "null", "%00", "~")));
      }
    }
    return changed.toString();
  }

  /** What is no HTTP, or only the beginning of it; too long lines; lengths that lie. */
  private void connections(InetSocketAddress to, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      try (Socket socket = new Socket(to.getAddress(), to.getPort())) {
        byte[] bytes =
            switch (random.nextInt(5)) {
              case 0 ->
                  random
                      .ints(64)
                      .mapToObj(n -> "" + (char) (n & 255))
                      .toList()
                      .toString()
                      .getBytes(StandardCharsets.ISO_8859_1);
              case 1 -> "GET /v1/tables HTTP/1.1\r\nHost: 127".getBytes(StandardCharsets.US_ASCII);
              case 2 ->
                  ("GET /" + "x".repeat(random.nextInt(9_000)) + " HTTP/9.9\r\n\r\n")
                      .getBytes(StandardCharsets.US_ASCII);
              case 3 ->
                  ("POST /v1/transactions/run HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: "
                          + random.nextLong()
                          + "\r\n\r\n{")
                      .getBytes(StandardCharsets.US_ASCII);
              default ->
                  ("GET / HTTP/1.1\r\n" + "a: b\r\n".repeat(random.nextInt(300)) + "\r\n")
                      .getBytes(StandardCharsets.US_ASCII);
            };
        socket.getOutputStream().write(bytes);
      } catch (SocketException e) {
        // Cut off before all was sent, as it may be.
      }
    }
  }

  private static long used() throws InterruptedException {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      System.gc();
      Thread.sleep(30);
      Runtime runtime = Runtime.getRuntime();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }
}
