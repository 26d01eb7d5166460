package io.braid.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.linecorp.armeria.server.HttpServiceWithRoutes;
import io.braid.Braid;
import io.braid.core.runtime.Seams;
import io.braid.gateway.access.Access;
import io.braid.gateway.access.AuditLog;
import io.braid.gateway.access.Identity;
import io.braid.gateway.access.Role;
import io.braid.gateway.api.Api;
import io.braid.gateway.metrics.Telemetry;
import io.braid.gateway.transactions.OpenTransactions;
import io.braid.gateway.transactions.SignedIds;
import io.braid.http.HttpCall;
import io.braid.http.HttpEndpoint;
import io.braid.http.HttpRefusal;
import io.braid.http.Json;
import io.braid.percolator.garbage.Rate;
import io.braid.serving.net.NodeService;
import io.braid.serving.net.StoreRoutes;
import io.opentelemetry.context.Scope;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A database, and served stores beside it, over HTTP: {@code /v1} for transactions and operators,
 * {@code /stores} for stores, {@code /metrics}, {@code /livez} and {@code /readyz} for monitoring,
 * {@code /} for people.
 */
public final class Gateway implements AutoCloseable {
  private static final Pattern STORE = Pattern.compile("/stores/([^/]+)(?:/.*)?");

  /** The requests that a client with an open transaction may still send while the node ends. */
  private static final Pattern OPEN = Pattern.compile("/v1/transactions/[0-9a-f]{32}(/.*)?");

  private static final Duration PAUSE = Duration.ofMillis(10);

  private final Seams seams;
  private final GatewayCore core;
  private final StoreRoutes stores;
  private final Console console = new Console();
  private final HttpEndpoint endpoint;

  /**
   * The parts that a gateway needs.
   *
   * @param stores the served stores of this node
   * @param telemetry the target of metrics, in addition to the clients that ask for them
   */
  public record Services(Seams seams, Braid db, NodeService stores, Telemetry telemetry) {}

  /**
   * How a gateway behaves.
   *
   * @param pace requests of each identity
   * @param ids signs the ids of transactions whose outcome is unknown
   * @param rpc makes the services of gRPC
   */
  public record Options(
      HttpEndpoint.Options http,
      OpenTransactions.Bounds transactions,
      Api.Bounds requests,
      Duration requestMemory,
      Rate pace,
      SignedIds ids,
      Function<GatewayCore, List<? extends HttpServiceWithRoutes>> rpc) {}

  /** Begins to answer. */
  public Gateway(Services services, Options options, Access access, AuditLog audit)
      throws IOException {
    this.seams = services.seams();
    this.core = new GatewayCore(services, options, access, audit);
    this.stores = new StoreRoutes(seams, services.stores());
    this.endpoint =
        new HttpEndpoint(
            seams, options.http(), new Answers(), GatewayCore::refusal, options.rpc().apply(core));
    watch();
  }

  private void watch() {
    core.metrics()
        .watch(
            "braid.gateway.grpc.connections",
            "Connections to the port for gRPC.",
            endpoint,
            HttpEndpoint::connectionsFurther);
    core.metrics()
        .watchCount(
            "braid.gateway.grpc.connections.refused",
            "Connections that were one too many.",
            endpoint,
            HttpEndpoint::connectionsRefused);
    core.metrics()
        .watch(
            "braid.gateway.grpc.answers.untaken",
            "Bytes of answers that their callers have not taken.",
            endpoint,
            HttpEndpoint::untakenBytes);
    core.metrics()
        .watchCount(
            "braid.gateway.grpc.connections.cut",
            "Connections that were cut off since they sent no whole requests, or took no answers.",
            endpoint,
            HttpEndpoint::cutOff);
  }

  /** Returns the core that this gateway shares with other ways into the same node. */
  public GatewayCore core() {
    return core;
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return endpoint.address();
  }

  /** Where it listens for gRPC, too. */
  public Optional<InetSocketAddress> further() {
    return endpoint.further();
  }

  private final class Answers implements HttpEndpoint.Handler {
    @Override
    public void answer(HttpCall call) throws IOException {
      Gateway.this.answer(call);
    }

    @Override
    public String whose(HttpCall call) {
      try {
        return core.access().of(call).name();
      } catch (HttpRefusal e) {
        return "";
      }
    }
  }

  private void answer(HttpCall call) throws IOException {
    secure(call);
    String path = call.path();
    switch (path) {
      case "/livez" -> call.send(200, Json.object().put("live", true));
      case "/readyz" -> core.readiness().answer(call);
      case "/openapi.json" -> call.send(200, core.api().description());
      default -> {
        if (!console.answer(call, path)) {
          answerKnown(call, path);
        }
      }
    }
  }

  private static void secure(HttpCall call) {
    call.set("X-Content-Type-Options", "nosniff");
    call.set("Cache-Control", "no-store");
  }

  /** Answers a caller with a known identity. */
  private void answerKnown(HttpCall call, String path) throws IOException {
    Identity identity = core.identity(asked(call), () -> core.access().of(call));
    core.requireServing(OPEN.matcher(path).matches());
    try (Scope in = core.trace(call::header).makeCurrent()) {
      answer(call, identity, path);
    }
  }

  private void answer(HttpCall call, Identity identity, String path) throws IOException {
    if (path.equals("/metrics")) {
      metrics(call, identity);
    } else if (path.startsWith("/stores")) {
      store(call, identity, path);
    } else {
      call(call, identity);
    }
  }

  private void metrics(HttpCall call, Identity identity) throws IOException {
    core.noted(
        asked(call),
        identity,
        false,
        asks -> {
          asks.require(Role.READ, "*"); // metrics name identities and tables
          byte[] text = core.metrics().text().getBytes(StandardCharsets.UTF_8);
          call.send(200, "text/plain; version=0.0.4; charset=utf-8", text);
          return true;
        });
  }

  private static GatewayCore.RequestRecord asked(HttpCall call) {
    return new GatewayCore.RequestRecord(
        call.from().getAddress().getHostAddress(), call.method(), call.path());
  }

  private void store(HttpCall call, Identity identity, String path) throws IOException {
    Matcher store = STORE.matcher(path);
    boolean changes = StoreRoutes.changes(call);
    String name = "store/" + (store.matches() ? store.group(1) : "");
    core.noted(
        asked(call),
        identity,
        changes,
        asks -> {
          asks.require(changes ? Role.ADMIN : Role.READ, name);
          stores.answer(call);
          return true;
        });
  }

  private void call(HttpCall call, Identity identity) throws IOException {
    Api.Match match = core.api().match(call);
    long begin = seams.nanoTime();
    int status = 500;
    try {
      // A change is noted before it is answered.
      JsonNode answer =
          core.noted(
              asked(call), identity, match.changes(), asks -> core.api().answer(call, asks, match));
      status = 200;
      call.send(200, answer);
    } catch (RuntimeException e) {
      status = GatewayCore.refusal(e).status();
      throw e;
    } finally {
      core.metrics().request(call.method(), match.template(), status, seams.nanoTime() - begin);
    }
  }

  /** Answers one call, in the same way as those that come in over connections. */
  void handle(HttpCall call) throws IOException {
    endpoint.handle(call);
  }

  /**
   * Takes no more requests, and waits for those that run and for open transactions.
   *
   * @return whether all ended in time
   */
  public boolean drain(Duration most) {
    core.readiness().drain();
    long end = seams.nanoTime() + most.toNanos();
    while (core.open().count() > 0 && seams.nanoTime() < end) {
      seams.sleep(PAUSE);
    }
    boolean ended = endpoint.drain(Duration.ofNanos(Math.max(0, end - seams.nanoTime())));
    return ended && core.open().count() == 0;
  }

  @Override
  public void close() throws IOException {
    core.readiness().drain();
    endpoint.close();
    core.close();
  }
}
