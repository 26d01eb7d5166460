package io.braid.gateway.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.Braid;
import io.braid.CoordinatorStatus;
import io.braid.Setting;
import io.braid.core.failure.ErrorCode;
import io.braid.core.time.Lineage;
import io.braid.core.time.Timestamp;
import io.braid.gateway.access.Role;
import io.braid.gateway.transactions.OpenTransactions;
import io.braid.http.HttpRefusal;
import io.braid.http.Json;
import io.braid.observers.ObserverStats;
import io.braid.observers.ObserverStatus;
import io.braid.observers.rows.DeadLetter;
import io.braid.percolator.PercolatorStatistics;
import io.braid.percolator.garbage.CollectionReport;
import io.braid.percolator.garbage.CollectionRequest;
import io.braid.percolator.garbage.CollectionStatistics;
import io.braid.view.ByteText;
import io.braid.view.Columns;
import io.micrometer.core.instrument.distribution.HistogramSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The requests of operators: observers, garbage collection, state of the node. */
final class OperatorRoutes {
  private static final int MOST_DEAD_LETTERS = 1000;

  private final Braid db;
  private final OpenTransactions open;
  private final Commits commits;
  private final Duration keep;

  OperatorRoutes(Braid db, OpenTransactions open, Commits commits, Duration keep) {
    this.db = db;
    this.open = open;
    this.commits = commits;
    this.keep = keep;
  }

  List<Route> all() {
    return List.of(
        Route.of("GET", "/v1/status", Role.READ, "How the node fares, in numbers.", this::status),
        Route.of("GET", "/v1/observers", Role.READ, "Observers, and what waits.", this::observers),
        Route.of(
            "GET",
            "/v1/observers/{observer}/dead-letters",
            Role.READ,
            "Changes that an observer kept failing at.",
            this::deadLetters),
        Route.of(
            "POST",
            "/v1/observers/{observer}/replay",
            Role.ADMIN,
            "Make the dead-lettered changes of an observer pending again.",
            this::replay),
        Route.of(
            "POST",
            "/v1/observers/{observer}/pause",
            Role.ADMIN,
            "Pause an observer in all processes.",
            this::pause),
        Route.of(
            "POST",
            "/v1/observers/{observer}/resume",
            Role.ADMIN,
            "Resume an observer.",
            this::resume),
        Route.of("GET", "/v1/gc", Role.READ, "The state of garbage collection.", this::collection),
        Route.of(
            "POST",
            "/v1/gc",
            Role.ADMIN,
            "Collect garbage now, keeping what " + Setting.GC_KEEP + " says.",
            this::collect));
  }

  private JsonNode status(Request request) {
    ObjectNode answer = Json.object();
    answer.put("time", Instant.ofEpochMilli(System.currentTimeMillis()).toString());
    ObjectNode transactions = answer.putObject("transactions");
    PercolatorStatistics percolator = db.operations().percolatorStatistics();
    transactions.put("one_phase", percolator.onePhase()).put("two_phase", percolator.twoPhase());
    transactions.put("conflicts", percolator.conflicts()).put("unknown", percolator.unknown());
    db.operations()
        .omidStatistics()
        .ifPresent(
            omid ->
                transactions
                    .put("omid_commits", omid.commits())
                    .put("omid_conflicts", omid.conflicts()));
    transactions.put("open", open.count()).put("leases_expired", open.expiredCount());
    answer.set("coordinator", coordinator(request));
    ObjectNode gateway = answer.putObject("gateway");
    for (Map.Entry<String, HistogramSnapshot> each : commits.seen().entrySet()) {
      gateway.set(each.getKey(), timer(each.getValue()));
    }
    ObserverStats stats = db.observerStats();
    answer
        .putObject("observers")
        .put("runs", stats.runs())
        .put("runs_per_second", stats.runsPerSecond())
        .put("pending", stats.pending())
        .put("dead_letters", stats.deadLetters())
        .put("lag_p50_millis", stats.lag().p50Millis())
        .put("lag_p99_millis", stats.lag().p99Millis());
    return answer;
  }

  /**
   * Returns the state of the coordinator. Only callers that may read everything see where processes
   * run.
   */
  private ObjectNode coordinator(Request request) {
    CoordinatorStatus status = db.operations().coordinator();
    ObjectNode answer = Json.object();
    answer.put("here", status.leader()).put("answers", status.answers());
    answer.put("processes", status.processes().size());
    if (request.identity().may(Role.READ, "*")) {
      status.processes().forEach(answer.putArray("names")::add);
    }
    ObjectNode figures = answer.putObject("figures");
    new TreeMap<>(status.figures()).forEach(figures::put);
    return answer;
  }

  private static ObjectNode timer(HistogramSnapshot seen) {
    ObjectNode object = Json.object().put("count", seen.count());
    for (var each : seen.percentileValues()) {
      object.put(
          "p" + Math.round(each.percentile() * 100) + "_millis", each.value(TimeUnit.MILLISECONDS));
    }
    return object;
  }

  private JsonNode observers(Request request) {
    ObjectNode answer = Json.object();
    ArrayNode observers = answer.putArray("observers");
    for (ObserverStatus each : db.observerOperations().list()) {
      if (request.identity().may(Role.READ, each.table())) {
        observers
            .addObject()
            .put("observer", each.name())
            .put("table", each.table())
            .put("column", Columns.show(each.column()))
            .put("weak", each.weak())
            .put("here", each.here())
            .put("paused", each.paused())
            .put("pending", each.pending())
            .put("oldest_pending_millis", each.oldestPendingMillis())
            .put("dead_letters", each.deadLetters());
      }
    }
    return answer;
  }

  /**
   * Returns the observer of a request, if the identity has the role on its table. An identity that
   * may not even read the table does not learn that there is such an observer.
   */
  private String observer(Request request, Role role) {
    String name = request.part("observer");
    Supplier<HttpRefusal> missing =
        () ->
            new HttpRefusal(
                404, ErrorCode.NO_SUCH_OBSERVER.word(), "There is no observer " + name + ".");
    ObserverStatus status =
        db.observerOperations().list().stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow(missing);
    request.identity().requireVisible(status.table(), missing);
    request.identity().require(role, status.table());
    return name;
  }

  private JsonNode deadLetters(Request request) {
    ObjectNode answer = Json.object();
    ArrayNode list = answer.putArray("dead_letters");
    db.observerOperations()
        .forEachDeadLetter(
            Optional.of(observer(request, Role.READ)),
            letter -> {
              if (list.size() < MOST_DEAD_LETTERS) {
                list.add(deadLetter(letter));
              }
            });
    return answer;
  }

  private static ObjectNode deadLetter(DeadLetter letter) {
    return Json.object()
        .put("table", letter.row().table())
        .put("row", ByteText.show(letter.row().key()))
        .put("column", Columns.show(letter.column()))
        .put("attempts", letter.attempts())
        .put("error", letter.reason());
  }

  private JsonNode replay(Request request) {
    String name = observer(request, Role.ADMIN);
    return Json.object()
        .put("replayed", db.observerOperations().replayAll(Optional.of(name), change -> {}));
  }

  private JsonNode pause(Request request) {
    String name = observer(request, Role.ADMIN);
    db.observerOperations().pause(name);
    return Json.object().put("observer", name).put("paused", true);
  }

  private JsonNode resume(Request request) {
    String name = observer(request, Role.ADMIN);
    db.observerOperations().resume(name);
    return Json.object().put("observer", name).put("paused", false);
  }

  private JsonNode collection(Request request) {
    CollectionStatistics statistics = db.operations().collector().statistics();
    ObjectNode answer = Json.object();
    answer.put("watermark", Long.toString(statistics.watermark()));
    answer.put(
        "readable_from",
        Timestamp.toText(Math.max(statistics.watermark(), Lineage.since(db.store()))));
    answer.put("running", statistics.running().isPresent());
    answer.put("removed", statistics.total().removed());
    answer.put("bytes", statistics.total().bytes());
    statistics.last().ifPresent(last -> answer.set("last", report(last, request)));
    return answer;
  }

  private JsonNode collect(Request request) {
    return db.operations()
        .collector()
        .collect(CollectionRequest.keep(keep), each -> {}, () -> false)
        .map(report -> report(report, request))
        .orElseThrow(
            () -> new HttpRefusal(409, "running", "Another collection is running; wait for it."));
  }

  private static ObjectNode report(CollectionReport report, Request request) {
    // Names of pins tell what others do.
    boolean hidden = report.heldBy().startsWith("pin ") && !request.identity().may(Role.READ, "*");
    return Json.object()
        .put("horizon", Long.toString(report.horizon()))
        .put("held_by", hidden ? "a pin" : report.heldBy())
        .put("complete", report.complete())
        .put("rows", report.counts().rows())
        .put("removed", report.counts().removed())
        .put("bytes", report.counts().bytes())
        .put("millis", report.elapsed().toMillis());
  }
}
