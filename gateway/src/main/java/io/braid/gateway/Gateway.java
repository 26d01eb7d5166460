package io.braid.gateway;

import com.sun.net.httpserver.HttpExchange;
import io.braid.Braid;
import io.braid.core.runtime.Seams;
import io.braid.gateway.access.Access;
import io.braid.gateway.access.AuditLog;
import io.braid.gateway.access.Identity;
import io.braid.gateway.access.Role;
import io.braid.gateway.api.Api;
import io.braid.gateway.api.Failures;
import io.braid.gateway.metrics.Metrics;
import io.braid.gateway.transactions.OpenTransactions;
import io.braid.gateway.transactions.RequestLog;
import io.braid.http.HttpEndpoint;
import io.braid.http.HttpRefusal;
import io.braid.http.Json;
import io.braid.serving.net.NodeService;
import io.braid.serving.net.StoreRoutes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A database, and served stores beside it, over HTTP: {@code /v1} for transactions and operators,
 * {@code /stores} for stores, {@code /metrics}, {@code /livez} and {@code /readyz} for whoever
 * watches, {@code /} for people.
 */
public final class Gateway implements AutoCloseable {
  private static final Pattern STORE = Pattern.compile("/stores/([^/]+)(?:/.*)?");

  /** What a client still sends that has a transaction open. */
  private static final Pattern OPEN = Pattern.compile("/v1/transactions/[0-9a-f]{32}(/.*)?");

  private static final Duration PAUSE = Duration.ofMillis(10);

  private final Seams seams;
  private final Access access;
  private final AuditLog audit;
  private final OpenTransactions open;
  private final RequestLog requests;
  private final Metrics metrics;
  private final Api api;
  private final StoreRoutes stores;
  private final Readiness readiness;
  private final Console console = new Console();
  private final HttpEndpoint endpoint;

  /**
   * What a gateway stands on.
   *
   * @param stores the served stores of this node
   */
  public record Backing(Seams seams, Braid db, NodeService stores) {}

  /** How a gateway behaves. */
  public record Options(
      HttpEndpoint.Options http,
      OpenTransactions.Bounds transactions,
      Api.Bounds requests,
      Duration requestMemory) {}

  /** Begins to answer. */
  public Gateway(Backing backing, Options options, Access access, AuditLog audit)
      throws IOException {
    this.seams = backing.seams();
    this.access = access;
    this.audit = audit;
    this.open = new OpenTransactions(backing.db(), seams, options.transactions());
    this.requests = new RequestLog(backing.db(), seams, options.requestMemory());
    this.metrics = new Metrics(backing.db(), open);
    this.api = new Api(seams, backing.db(), open, requests, metrics, options.requests());
    this.stores = new StoreRoutes(seams, backing.stores());
    this.readiness = new Readiness(backing.db());
    metrics.watchCount(
        "braid.gateway.refused", "Requests refused for who asked.", access, Access::refused);
    this.endpoint = new HttpEndpoint(seams, options.http(), this::answer, Gateway::refusal);
  }

  private static HttpRefusal refusal(RuntimeException failure) {
    return failure.getClass().getName().startsWith("io.braid.serving.")
        ? StoreRoutes.refusal(failure)
        : Failures.refusal(failure);
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return endpoint.address();
  }

  private void answer(HttpExchange exchange) throws IOException {
    secure(exchange);
    String path = String.valueOf(exchange.getRequestURI().getRawPath());
    switch (path) {
      case "/livez" -> HttpEndpoint.send(exchange, 200, Json.object().put("live", true));
      case "/readyz" -> readiness.answer(exchange);
      case "/openapi.json" -> HttpEndpoint.send(exchange, 200, api.description());
      default -> {
        if (!console.answer(exchange, path)) {
          answerKnown(exchange, path);
        }
      }
    }
  }

  private static void secure(HttpExchange exchange) {
    exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
  }

  /** Answers somebody who is known. */
  private void answerKnown(HttpExchange exchange, String path) throws IOException {
    Identity identity;
    try {
      identity = access.of(exchange);
    } catch (HttpRefusal e) {
      access.countRefused();
      note(exchange, "-", e.status());
      throw e;
    }
    if (readiness.draining() && !OPEN.matcher(path).matches()) {
      throw new HttpRefusal(503, "ending", "This node is ending: ask another one, or later.");
    }
    if (path.equals("/metrics")) {
      byte[] text = metrics.text().getBytes(StandardCharsets.UTF_8);
      HttpEndpoint.send(exchange, 200, "text/plain; version=0.0.4; charset=utf-8", text);
    } else if (path.startsWith("/stores")) {
      store(exchange, identity, path);
    } else {
      call(exchange, identity);
    }
  }

  private void store(HttpExchange exchange, Identity identity, String path) throws IOException {
    Matcher store = STORE.matcher(path);
    boolean changes = StoreRoutes.changes(exchange);
    String name = "store/" + (store.matches() ? store.group(1) : "");
    noted(
        exchange,
        identity,
        changes,
        () -> {
          identity.require(changes ? Role.ADMIN : Role.READ, name);
          stores.answer(exchange);
          return 200;
        });
  }

  private void call(HttpExchange exchange, Identity identity) throws IOException {
    Api.Match match = api.match(exchange);
    long begin = seams.nanoTime();
    int status = 500;
    try {
      status =
          noted(
              exchange,
              identity,
              match.changes(),
              () -> {
                HttpEndpoint.send(exchange, 200, api.answer(exchange, identity, match));
                return 200;
              });
    } catch (RuntimeException e) {
      status = refusal(e).status();
      throw e;
    } finally {
      metrics.request(
          exchange.getRequestMethod(), match.template(), status, seams.nanoTime() - begin);
    }
  }

  private interface Answer {
    int give() throws IOException;
  }

  /** Notes changes, and what was refused because of who asked. */
  private int noted(HttpExchange exchange, Identity identity, boolean changes, Answer answer)
      throws IOException {
    if (changes && !audit.healthy()) {
      note(exchange, identity.name(), 503);
      throw new HttpRefusal(
          503, "no audit", "The audit log cannot be written, so nothing may be changed.");
    }
    int status = 500;
    try {
      status = answer.give();
      return status;
    } catch (RuntimeException e) {
      status = refusal(e).status();
      if (status == 403) {
        access.countRefused();
      }
      throw e;
    } finally {
      if (changes || status == 403) {
        note(exchange, identity.name(), status);
      }
    }
  }

  private void note(HttpExchange exchange, String identity, int status) {
    audit.add(
        identity,
        exchange.getRemoteAddress().getAddress().getHostAddress(),
        exchange.getRequestMethod(),
        exchange.getRequestURI().getRawPath(),
        status);
  }

  /** Answers one exchange, as those are that come in over connections. */
  void handle(HttpExchange exchange) throws IOException {
    endpoint.handle(exchange);
  }

  /**
   * Takes no more requests, and waits for those that run and for open transactions.
   *
   * @return whether all ended in time
   */
  public boolean drain(Duration most) {
    readiness.drain();
    long end = seams.nanoTime() + most.toNanos();
    while (open.count() > 0 && seams.nanoTime() < end) {
      seams.sleep(PAUSE);
    }
    boolean ended = endpoint.drain(Duration.ofNanos(Math.max(0, end - seams.nanoTime())));
    return ended && open.count() == 0;
  }

  @Override
  public void close() throws IOException {
    readiness.drain();
    endpoint.close();
    api.endJobs();
    open.close();
    requests.close();
    metrics.close();
    audit.close();
  }
}
