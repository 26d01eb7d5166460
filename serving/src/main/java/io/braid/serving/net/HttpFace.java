package io.braid.serving.net;

import com.sun.net.httpserver.HttpExchange;
import io.braid.core.runtime.Seams;
import io.braid.http.HttpEndpoint;
import io.braid.http.HttpRefusal;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * A node over HTTP. Reads are open to whoever can reach the port; changes need the token, or, if
 * none was set, must come from this machine.
 *
 * <p>Errors are objects with {@code error} and {@code message}; their status tells whether trying
 * again, or elsewhere, can help.
 */
public final class HttpFace implements AutoCloseable {
  private final HttpEndpoint endpoint;
  private final String token;

  /**
   * @param token that changes must carry as {@code Authorization: Bearer TOKEN}; empty: changes are
   *     taken from this machine only
   */
  public HttpFace(Seams seams, NodeService service, InetSocketAddress address, String token)
      throws IOException {
    this.token = token;
    StoreRoutes routes = new StoreRoutes(seams, service);
    this.endpoint =
        new HttpEndpoint(
            seams,
            HttpEndpoint.Options.plain(address),
            exchange -> {
              if (StoreRoutes.changes(exchange)) {
                admit(exchange);
              }
              routes.answer(exchange);
            },
            StoreRoutes::refusal);
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return endpoint.address();
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

  @Override
  public void close() {
    endpoint.close();
  }
}
