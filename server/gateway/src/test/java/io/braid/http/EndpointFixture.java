package io.braid.http;

import com.linecorp.armeria.server.HttpServiceWithRoutes;
import io.braid.core.runtime.SystemSeams;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Endpoints with other bounds than the usual ones. */
public final class EndpointFixture {
  /** Longer than any test, in turns. */
  public static final int LONG = 1_000_000;

  private static final Duration TURN = Duration.ofMillis(100);

  private int connections = 10;
  private long requests = 1L << 40;
  private long answers = 1L << 40;
  private long each = 1L << 40;
  private int message = 1 << 20;
  private int streams = 100;
  private int requestTurns = LONG;
  private Connections.Patience patience =
      new Connections.Patience(TURN, LONG, LONG, LONG, LONG, LONG);

  /** Bytes of requests that are not complete. */
  public EndpointFixture requests(long bytes) {
    requests = bytes;
    return this;
  }

  /** Turns until a request is complete. */
  public EndpointFixture requestTurns(int turns) {
    requestTurns = turns;
    return this;
  }

  /** Bytes of answers that are not taken: of one connection, and of all. */
  public EndpointFixture answers(long ofOne, long ofAll) {
    each = ofOne;
    answers = ofAll;
    return this;
  }

  /** Streams without an end. */
  public EndpointFixture streams(int most) {
    streams = most;
    return this;
  }

  public EndpointFixture message(int bytes) {
    message = bytes;
    return this;
  }

  /** Turns of patience, each of a tenth of a second. */
  public EndpointFixture patience(int greeting, int idle, int ping, int silence) {
    patience = new Connections.Patience(TURN, greeting, LONG, idle, ping, silence);
    return this;
  }

  /**
   * Begins to listen for services of gRPC.
   *
   * @param handler names the identities of clients
   */
  public HttpEndpoint open(
      HttpEndpoint.Handler handler, List<? extends HttpServiceWithRoutes> services)
      throws IOException {
    HttpEndpoint.Options options =
        new HttpEndpoint.Options(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            1,
            null,
            false,
            message,
            256,
            HttpEndpoint.LONGEST,
            Optional.empty());
    HttpEndpoint.Bounds bounds =
        new HttpEndpoint.Bounds(
            Turns.Bounds.of(1),
            new ClientWaits.Bounds(512, requests, answers, each, requestTurns, LONG),
            new Connections.Bounds(connections, 0, streams, 8192),
            patience);
    return new HttpEndpoint(
        new SystemSeams(),
        options,
        bounds,
        new Turns("http", bounds.turns()),
        handler,
        failure -> HttpRefusal.defect(),
        services);
  }

  public static int connections(HttpEndpoint of) {
    return of.connections().count();
  }

  public static int streams(HttpEndpoint of) {
    return of.connections().streams();
  }

  /** Returns how many requests are not complete, and answers not taken. */
  public static int waits(HttpEndpoint of) {
    return of.waits().count();
  }

  public static long requestBytes(HttpEndpoint of) {
    return of.waits().requestBytes();
  }

  public static long requestBytes(HttpEndpoint of, String whose) {
    return of.waits().requestBytes(whose);
  }
}
