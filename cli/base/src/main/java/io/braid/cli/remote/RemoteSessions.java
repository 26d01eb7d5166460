package io.braid.cli.remote;

import io.braid.testkit.workload.Sessions;
import java.net.URI;
import java.time.Duration;

/** Transactions of a server, and its tables. */
public interface RemoteSessions extends Sessions, AutoCloseable {
  /** How long a request is tried while the server does not answer, as during a restart. */
  Duration PATIENCE = Duration.ofSeconds(60);

  /** Creates a table again, without any rows. */
  void renew(String table, String protocol, String family);

  @Override
  void close();

  /**
   * Returns the sessions of a server by its address; nothing is sent before the first use.
   *
   * @param address {@code grpc://HOST:PORT}, {@code http://HOST:PORT} or {@code https://HOST:PORT}
   * @param token names the caller; empty for an anonymous caller
   * @throws IllegalArgumentException when it is no such address
   */
  static RemoteSessions of(String address, String token) {
    if (address.matches("grpc://[^/?#]+:[0-9]{1,5}/?")) {
      return new GrpcSessions(URI.create(address).getAuthority(), token);
    }
    if (address.matches("https?://[^/?#]+/?")) {
      return new HttpSessions(new HttpCalls(URI.create(address), token));
    }
    throw new IllegalArgumentException(
        "'"
            + address
            + "' is no server: write grpc://HOST:PORT, http://HOST:PORT or https://HOST:PORT.");
  }
}
