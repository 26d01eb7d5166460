package io.braid.serving.net;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.braid.core.runtime.Seams;
import io.braid.serving.build.BadManifestException;
import io.braid.serving.chunk.CorruptChunkException;
import io.braid.serving.client.NoSuchStoreException;
import io.braid.serving.client.StoreUnavailableException;
import io.braid.serving.client.VersionGoneException;
import io.braid.serving.fetch.FetchFailedException;
import io.braid.serving.node.NotHeldException;
import io.braid.serving.node.NothingLiveException;
import io.braid.serving.node.VersionRefusedException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node over HTTP. Reads are open to whoever can reach the port; changes need the token, or, if
 * none was set, must come from this machine.
 *
 * <p>Errors are objects with {@code error} and {@code message}; their status tells whether trying
 * again, or elsewhere, can help.
 */
public final class HttpFace implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpFace.class);
  private static final int BACKLOG = 128;
  private static final int THREADS = 16;
  private static final int WAITING = 1024;

  private final HttpServer server;
  private final Workers workers;
  private final String token;

  /** Answers requests; throws what {@link #status} knows. */
  interface Handler {
    void handle(HttpExchange exchange) throws IOException;
  }

  /**
   * @param token that changes must carry as {@code Authorization: Bearer TOKEN}; empty: changes are
   *     taken from this machine only
   */
  public HttpFace(Seams seams, NodeService service, InetSocketAddress address, String token)
      throws IOException {
    this.token = token;
    this.workers = new Workers(seams, "http", THREADS, WAITING);
    this.server = HttpServer.create(address, BACKLOG);
    server.setExecutor(workers);
    HttpReads reads =
        new HttpReads(service, new HttpKeys(service, new RoutedReads(seams, service)));
    HttpChanges changes = new HttpChanges(service);
    server.createContext(
        "/",
        exchange ->
            answer(
                exchange,
                e -> {
                  e.getResponseHeaders()
                      .set(Wire.TOPOLOGY, Long.toString(service.cluster().version()));
                  if (e.getRequestMethod().equals("POST") && !HttpReads.isRead(e)) {
                    admit(e);
                    changes.handle(e);
                  } else {
                    reads.handle(e);
                  }
                }));
    server.start();
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return server.getAddress();
  }

  private void admit(HttpExchange exchange) {
    String type = exchange.getRequestHeaders().getFirst("Content-Type");
    if (type == null || !type.startsWith("application/json")) {
      throw new HttpRefusal(415, "not json", "Changes are asked for with Content-Type JSON.");
    }
    if (token.isEmpty()) {
      if (!exchange.getRemoteAddress().getAddress().isLoopbackAddress()) {
        throw new HttpRefusal(403, "forbidden", "Without a token changes come from this machine.");
      }
      return;
    }
    String given = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
    if (!MessageDigest.isEqual(
        given.getBytes(StandardCharsets.UTF_8),
        ("Bearer " + token).getBytes(StandardCharsets.UTF_8))) {
      throw new HttpRefusal(401, "unauthorized", "Changes need the token of this node.");
    }
  }

  private static void answer(HttpExchange exchange, Handler handler) throws IOException {
    try (exchange) {
      try {
        handler.handle(exchange);
      } catch (HttpRefusal e) {
        error(exchange, e.status(), e.error(), e);
      } catch (RuntimeException e) {
        int status = status(e);
        if (status == 500 || status == 502) {
          LOG.warn("Request {} failed.", exchange.getRequestURI(), e);
        }
        error(exchange, status, e.getClass().getSimpleName(), e);
      }
    } catch (IOException e) {
      LOG.debug("A client has gone.", e);
    }
  }

  private static int status(RuntimeException failure) {
    if (failure instanceof IllegalArgumentException) {
      return 400;
    }
    if (failure instanceof UnknownStoreException || failure instanceof NoSuchStoreException) {
      return 404;
    }
    if (failure instanceof NotHeldException) {
      return 421;
    }
    if (failure instanceof VersionGoneException) {
      return 410;
    }
    if (failure instanceof StoreUnavailableException || failure instanceof StoreBehindException) {
      return 503;
    }
    if (failure instanceof VersionRefusedException || failure instanceof BadManifestException) {
      return 409;
    }
    if (failure instanceof NothingLiveException || failure instanceof FetchFailedException) {
      return 503;
    }
    return failure instanceof CorruptChunkException ? 502 : 500;
  }

  private static void error(HttpExchange exchange, int status, String error, Throwable failure)
      throws IOException {
    if (exchange.getResponseCode() != -1) {
      return;
    }
    ObjectNode object = Json.object();
    object.put("error", error.replace("Exception", ""));
    object.put("message", String.valueOf(failure.getMessage()));
    send(exchange, status, object);
  }

  static void send(HttpExchange exchange, int status, JsonNode body) throws IOException {
    byte[] bytes = (body + "\n").getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
    workers.close();
  }
}
