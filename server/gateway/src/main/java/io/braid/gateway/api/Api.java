package io.braid.gateway.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import io.braid.Braid;
import io.braid.core.runtime.Seams;
import io.braid.gateway.access.Identity;
import io.braid.gateway.access.Role;
import io.braid.gateway.metrics.Metrics;
import io.braid.gateway.transactions.OpenTransactions;
import io.braid.gateway.transactions.RequestLog;
import io.braid.gateway.transactions.SignedIds;
import io.braid.http.HttpRefusal;
import io.opentelemetry.api.OpenTelemetry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** All requests below {@code /v1}. */
public final class Api {
  private final List<PlacedRoute> routes = new ArrayList<>();
  private final Bounds bounds;
  private final JobRoutes jobs;
  private final TransactionCalls transactions;
  private final GroupRoutes groups;
  private final RowCalls rows;

  private record PlacedRoute(Pattern pattern, Route route) {}

  /**
   * The limits of a request, and settings that requests use.
   *
   * @param bytes of a body at most
   * @param operations at most
   * @param page rows of a scan at most
   * @param keep how far back a garbage collection leaves snapshots readable
   * @param backups the directory of backups
   */
  public record Bounds(
      int bytes, int operations, int page, Duration keep, Path backups, Loads loads) {}

  /**
   * Where loads work.
   *
   * @param jobs the directory of all jobs
   * @param inputs the only directory that files are loaded from; empty: none are
   * @param most loads that run at a time
   */
  public record Loads(Path jobs, Optional<Path> inputs, int most) {}

  /** A route that matches a request. */
  public static final class Match {
    private final Route route;
    private final Matcher path;

    private Match(Route route, Matcher path) {
      this.route = route;
      this.path = path;
    }

    /** Whether it changes something. */
    public boolean changes() {
      return route.changes();
    }

    /** The path with names in braces, for metrics. */
    public String template() {
      return route.path();
    }
  }

  /**
   * The parts that requests use.
   *
   * @param requests what named requests have done
   * @param ids signs the ids of transactions whose outcome is unknown
   */
  public record Services(
      Seams seams,
      Braid db,
      OpenTransactions open,
      RequestLog requests,
      Metrics metrics,
      OpenTelemetry traces,
      SignedIds ids) {}

  public Api(Services services, Bounds bounds) {
    Braid db = services.db();
    OpenTransactions open = services.open();
    this.bounds = bounds;
    OperationReader reader = new OperationReader(bounds.operations(), bounds.page());
    Commits commits = new Commits(services.metrics());
    this.transactions =
        new TransactionCalls(db, open, services.requests(), commits, services.ids());
    this.groups = new GroupRoutes(db, reader, bounds.operations());
    this.rows = new RowCalls(db);
    add(new TableRoutes(db).all());
    add(new RowRoutes(db, reader).all());
    add(new TransactionRoutes(transactions, reader).all());
    add(new FastRoutes(rows).all());
    add(groups.all());
    RunningJobs running =
        new RunningJobs(services.seams(), services.traces(), bounds.loads().most());
    this.jobs = new JobRoutes(db, running, bounds.loads());
    add(jobs.all());
    add(new JobLogRoutes(running, bounds.loads()).all());
    add(new BackupRoutes(db, bounds.backups()).all());
    add(new OperatorRoutes(db, open, commits, bounds.keep()).all());
  }

  private void add(List<Route> more) {
    more.forEach(route -> routes.add(new PlacedRoute(route.pattern(), route)));
  }

  /** Breaks off the loads that run here; each can be resumed. */
  public void endJobs() {
    jobs.end();
  }

  List<Route> routes() {
    return routes.stream().map(PlacedRoute::route).toList();
  }

  /** The description of all of it, as OpenAPI. */
  public JsonNode description() {
    return OpenApi.describe(routes());
  }

  /**
   * The route for a request.
   *
   * @throws HttpRefusal when there is none
   */
  public Match match(HttpExchange exchange) {
    String path = String.valueOf(exchange.getRequestURI().getRawPath());
    Set<String> methods = new LinkedHashSet<>();
    for (PlacedRoute each : routes) {
      Matcher matcher = each.pattern.matcher(path);
      if (matcher.matches()) {
        if (each.route.method().equals(exchange.getRequestMethod())) {
          return new Match(each.route, matcher);
        }
        methods.add(each.route.method());
      }
    }
    if (methods.isEmpty()) {
      throw new HttpRefusal(
          404, "no such address", "Nothing is there; /openapi.json says what can be asked for.");
    }
    exchange.getResponseHeaders().set("Allow", String.join(", ", methods));
    throw new HttpRefusal(405, "method", "There you can " + String.join(", ", methods) + ".");
  }

  /**
   * Answers a request.
   *
   * @throws HttpRefusal when the identity may not ask for it, among other things
   */
  public JsonNode answer(HttpExchange exchange, Identity identity, Match match) throws IOException {
    Route route = match.route;
    return answer(identity, route, HttpRequests.parts(exchange, route, match.path, bounds.bytes()));
  }

  private static JsonNode answer(Identity identity, Route route, Request.Parts parts)
      throws IOException {
    String table = parts.path().get("table");
    if (table != null) {
      identity.require(route.role(), table);
    } else if (route.role() == Role.ADMIN && !route.path().contains("{observer}")) {
      identity.require(Role.ADMIN, "*");
    }
    return route.handler().answer(new Request(identity, route, parts));
  }

  /** A route that is called by other means than HTTP. */
  public static final class Call {
    private final Route route;

    private Call(Route route) {
      this.route = route;
    }

    /** Whether it changes something. */
    public boolean changes() {
      return route.changes();
    }

    /**
     * Answers a request.
     *
     * @param fields the named parts of the path, the parameters, and the fields of the body
     */
    public JsonNode answer(Identity identity, ObjectNode fields) throws IOException {
      Map<String, String> path = new LinkedHashMap<>();
      for (String name : route.parts()) {
        JsonNode part = fields.remove(name);
        if (part == null || part.asText().isEmpty()) {
          throw new IllegalArgumentException("'" + name + "' is missing.");
        }
        path.put(name, part.asText());
      }
      Map<String, List<String>> query = new LinkedHashMap<>();
      if (route.body().isEmpty()) {
        fields
            .fields()
            .forEachRemaining(each -> query.put(each.getKey(), List.of(each.getValue().asText())));
      }
      return Api.answer(identity, route, new Request.Parts(path, query, () -> fields));
    }
  }

  /**
   * The route of a method and a path with names in braces.
   *
   * @throws IllegalArgumentException when there is none
   */
  public Call call(String method, String path) {
    return routes().stream()
        .filter(route -> route.method().equals(method) && route.path().equals(path))
        .findFirst()
        .map(Call::new)
        .orElseThrow(
            () -> new IllegalArgumentException("There is no route " + method + " " + path + "."));
  }

  /** Transactions. */
  public TransactionCalls transactions() {
    return transactions;
  }

  /** Rows of snapshots, and the fast path. */
  public RowCalls rows() {
    return rows;
  }

  /** Does operations in one transaction of a group; as {@code POST /v1/groups/NAME/run}. */
  public GroupScript.ScriptResult runInGroup(Identity identity, String group, List<Operation> all) {
    return groups.run(identity, group, all);
  }

  /** Returns the limits of a request. */
  public Bounds bounds() {
    return bounds;
  }
}
