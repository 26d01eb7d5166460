package io.braid.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.FastSession;
import io.braid.gateway.node.NodeConfig;
import io.braid.gateway.node.ServerNode;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server does for a client over gRPC stands in the trace of the client. */
class TraceparentTest {
  private static final Column<String> NAME = Column.of("f", "name", Codecs.utf8());

  @TempDir Path dir;

  private static Context in(String trace, TraceFlags flags) {
    SpanContext remote =
        SpanContext.create(trace, "00f067aa0ba902b7", flags, TraceState.getDefault());
    return Context.root().with(Span.wrap(remote));
  }

  /** An id as it stands in a message. */
  private static String raw(String trace) {
    return new String(HexFormat.of().parseHex(trace), StandardCharsets.ISO_8859_1);
  }

  @Test
  void spansOfTheServerStandInTheTraceOfTheClient() throws IOException {
    String whole = "4bf92f3577b34da6a3ce929d0e0e4736";
    String fast = "11112222333344445555666677778888";
    String unsampled = "99998888777766665555444433332222";
    ConcurrentLinkedQueue<String> got = new ConcurrentLinkedQueue<>();
    HttpServer collector =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext(
        "/",
        exchange -> {
          byte[] body = exchange.getRequestBody().readAllBytes();
          got.add(new String(body, StandardCharsets.ISO_8859_1));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    collector.start();
    Map<String, String> set =
        Map.of(
            "server.listen",
            "127.0.0.1:0",
            "server.data",
            dir.resolve("data").toString(),
            "server.stores",
            dir.resolve("stores").toString(),
            "server.otlp",
            "http://127.0.0.1:" + collector.getAddress().getPort(),
            // Of its own accord the server traces nothing.
            "server.traces",
            "0.000001 %",
            "store.memory",
            "16 MiB");
    try (ServerNode node = new ServerNode(NodeConfig.load(Optional.empty(), set));
        BraidClient db = BraidClient.connect("127.0.0.1:" + node.grpc().orElseThrow().getPort())) {
      db.ensureTable("t", "f");
      try (Scope open = in(whole, TraceFlags.getSampled()).makeCurrent()) {
        db.run(
            tx -> {
              tx.set(Row.of("t", "r"), NAME, "a");
              return 0;
            });
      }
      try (Scope open = in(fast, TraceFlags.getSampled()).makeCurrent()) {
        FastSession session = db.fast();
        session.write(Row.of("t", "r"), NAME, "b");
      } catch (RuntimeException refused) {
        // A table of Percolator's protocol has no fast path; the span tells of the failure.
        assertThat(refused).isNotNull();
      }
      try (Scope open = in(unsampled, TraceFlags.getDefault()).makeCurrent()) {
        db.run(
            tx -> {
              tx.set(Row.of("t", "r"), NAME, "c");
              return 0;
            });
      }
    } finally {
      collector.stop(0);
    }
    String all = String.join("", got);
    assertThat(all)
        .contains(raw(whole), "percolator.one-phase-commit")
        .contains(raw(fast), "fast.write")
        .doesNotContain(raw(unsampled));
  }
}
