package io.braid.serving.net;

import io.braid.core.runtime.Seams;
import io.braid.http.HttpCall;
import io.braid.http.HttpEndpoint;
import io.braid.http.HttpRefusal;
import io.braid.serving.writable.Engine;
import io.braid.serving.writable.MemoryEngine;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.function.Function;

/**
 * A node over HTTP. Reads are open to all clients that can reach the port; changes need the token,
 * or, if none was set, must come from this machine.
 *
 * <p>Errors are objects with {@code error} and {@code message}; their status tells whether trying
 * again, or elsewhere, can help.
 */
public final class HttpNodeServer implements AutoCloseable {
  private static final Duration REPLICA_TIMEOUT = Duration.ofSeconds(2);

  private final HttpEndpoint endpoint;
  private final WritableStores writable;
  private final String token;

  /**
   * @param token that changes must carry as {@code Authorization: Bearer TOKEN}; empty: changes are
   *     taken from this machine only
   */
  public HttpNodeServer(Seams seams, NodeService service, InetSocketAddress address, String token)
      throws IOException {
    this(seams, service, address, token, name -> new MemoryEngine());
  }

  /**
   * @param engines opens the engine of a read-write store
   */
  public HttpNodeServer(
      Seams seams,
      NodeService service,
      InetSocketAddress address,
      String token,
      Function<String, Engine> engines)
      throws IOException {
    this.token = token;
    StoreRoutes routes = new StoreRoutes(seams, service);
    this.writable =
        new WritableStores(seams, service, engines, new HttpReplicas(REPLICA_TIMEOUT, token));
    HttpWritable rw = new HttpWritable(writable);
    this.endpoint =
        new HttpEndpoint(
            seams,
            HttpEndpoint.Options.plain(address),
            call -> {
              if (HttpWritable.isFor(call)) {
                if (!HttpWritable.isRead(call)) {
                  admitCaller(call);
                }
                rw.handle(call);
                return;
              }
              if (StoreRoutes.changes(call)) {
                admit(call);
              }
              routes.answer(call);
            },
            StoreRoutes::refusal);
  }

  /** The cluster's read-write stores, for other ways in. */
  public TupleCalls tuples() {
    return new TupleCalls(writable);
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return endpoint.address();
  }

  private void admit(HttpCall call) {
    String type = call.header("Content-Type");
    if (type == null || !type.startsWith("application/json")) {
      throw new HttpRefusal(415, "not json", "Changes are asked for with Content-Type JSON.");
    }
    admitCaller(call);
  }

  private void admitCaller(HttpCall call) {
    if (token.isEmpty()) {
      if (!call.from().getAddress().isLoopbackAddress()) {
        throw new HttpRefusal(403, "forbidden", "Without a token changes come from this machine.");
      }
      return;
    }
    String given = String.valueOf(call.header("Authorization"));
    if (!MessageDigest.isEqual(
        given.getBytes(StandardCharsets.UTF_8),
        ("Bearer " + token).getBytes(StandardCharsets.UTF_8))) {
      throw new HttpRefusal(
          401,
          "unauthorized",
          "Changes need the token of this node: --token-file, or the header Authorization.");
    }
  }

  @Override
  public void close() {
    writable.close();
    endpoint.close();
  }
}
