package io.braid.client;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Where a server is, and how to talk to it.
 *
 * <pre>{@code
 * ClientOptions options =
 *     ClientOptions.of("db.example.org:7801").token(token).timeout(Duration.ofSeconds(10));
 * BraidClient db = BraidClient.connect(options);
 * }</pre>
 *
 * @param address as HOST:PORT
 * @param token identifies the caller; empty: an anonymous caller
 * @param tls empty: plain text
 * @param timeout of each call, and of all attempts at one together; 60 s by default. A stream of
 *     rows has none
 * @param attempts at a call that is not answered, or at a transaction that conflicts; 30 by default
 */
@API(status = API.Status.STABLE)
public record ClientOptions(
    String address, String token, Optional<Tls> tls, Duration timeout, int attempts) {

  /**
   * Files in PEM.
   *
   * @param authorities that vouch for the server; empty: those of the JVM
   * @param certificate of the client, with its key beside it
   */
  public record Tls(Optional<Path> authorities, Optional<Certificate> certificate) {}

  /** A certificate and its key (PKCS 8), in PEM. */
  public record Certificate(Path certificate, Path key) {}

  public ClientOptions {
    if (attempts < 1 || timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("There is at least one attempt, and time for it.");
    }
  }

  /** A server without TLS, in plain text. */
  public static ClientOptions of(String address) {
    return new ClientOptions(address, "", Optional.empty(), Duration.ofSeconds(60), 30);
  }

  /** With a token, which {@code braid token} makes. */
  public ClientOptions token(String value) {
    return new ClientOptions(address, value, tls, timeout, attempts);
  }

  /** With TLS. */
  public ClientOptions tls(Tls value) {
    return new ClientOptions(address, token, Optional.of(value), timeout, attempts);
  }

  /** With another time for each call; more than none. */
  public ClientOptions timeout(Duration value) {
    return new ClientOptions(address, token, tls, value, attempts);
  }

  /** With another number of attempts, from 1 on. */
  public ClientOptions attempts(int value) {
    return new ClientOptions(address, token, tls, timeout, value);
  }
}
