package io.braid.gateway.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.Braid;
import io.braid.Protocol;
import io.braid.Units;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionId;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.core.transaction.TransactionOutcome.Committed;
import io.braid.gateway.access.Identity;
import io.braid.gateway.access.Role;
import io.braid.gateway.transactions.OpenTransactions;
import io.braid.gateway.transactions.OpenTransactions.Begun;
import io.braid.gateway.transactions.RequestLog;
import io.braid.http.Json;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Transactions: whole ones in one request, and open ones over several. */
final class TransactionRoutes {
  private final Braid db;
  private final OpenTransactions open;
  private final RequestLog requests;
  private final OperationReader reader;
  private final Operations operations;
  private final Scripts scripts;

  TransactionRoutes(
      Braid db,
      OpenTransactions open,
      RequestLog requests,
      OperationReader reader,
      Scripts scripts) {
    this.db = db;
    this.open = open;
    this.requests = requests;
    this.reader = reader;
    this.operations = new Operations(db);
    this.scripts = scripts;
  }

  List<Route> all() {
    return List.of(
        Route.of(
                "POST",
                "/v1/transactions/run",
                Role.WRITE,
                "Do operations in one transaction, all or none; run again on a conflict.",
                this::run)
            .body("Script"),
        Route.of(
                "POST",
                "/v1/transactions",
                Role.WRITE,
                "Begin a transaction, which is rolled back when its lease ends.",
                this::begin)
            .body("Begin"),
        Route.of(
                "POST",
                "/v1/transactions/{id}/operations",
                Role.WRITE,
                "Do operations in an open transaction; renews the lease.",
                this::operate)
            .body("Operations"),
        Route.of(
                "POST",
                "/v1/transactions/{id}/commit",
                Role.WRITE,
                "Commit an open transaction.",
                this::commit)
            .body("Commit"),
        Route.of(
            "DELETE",
            "/v1/transactions/{id}",
            Role.WRITE,
            "Roll an open transaction back.",
            this::rollBack),
        Route.of(
            "GET",
            "/v1/outcomes/{id}",
            Role.READ,
            "What became of a transaction whose outcome was unknown.",
            this::outcome),
        Route.of(
            "GET",
            "/v1/requests/{id}",
            Role.READ,
            "What a request has done until now, after its answer was lost.",
            this::request),
        Route.of(
            "DELETE",
            "/v1/requests/{id}",
            Role.WRITE,
            "What a request has done; if nothing, it never will do anything.",
            this::settle));
  }

  private List<Operation> operations(Request request, JsonNode body) {
    List<Operation> all = reader.read(body.path("operations"));
    for (Operation each : all) {
      request.identity().require(each.role(), each.table());
    }
    return all;
  }

  private JsonNode run(Request request) throws IOException {
    ObjectNode body = request.body("operations", "request");
    List<Operation> all = operations(request, body);
    return scripts.run(request.identity(), all, requestId(body));
  }

  private static Optional<String> requestId(ObjectNode body) {
    return body.has("request") ? Optional.of(body.path("request").asText()) : Optional.empty();
  }

  private JsonNode begin(Request request) throws IOException {
    ObjectNode body = request.body("lease");
    Identity identity = request.identity();
    Begun begun =
        body.has("lease")
            ? open.begin(identity, Units.duration(body.path("lease").asText()))
            : open.begin(identity);
    return Json.object()
        .put("transaction", begun.id())
        .put("start", Long.toString(begun.start()))
        .put("lease_millis", begun.lease().toMillis());
  }

  private JsonNode operate(Request request) throws IOException {
    List<Operation> all = operations(request, request.body("operations"));
    long bytes = all.stream().mapToLong(Operation::bytes).sum();
    ArrayNode results =
        open.use(
            request.identity(),
            request.part("id"),
            bytes,
            scripts.writes(all),
            tx -> operations.run(tx, all));
    return Json.object().set("results", results);
  }

  private JsonNode commit(Request request) throws IOException {
    Optional<String> id = requestId(request.body("request"));
    Identity identity = request.identity();
    Optional<ObjectNode> before = id.flatMap(each -> scripts.before(identity, each));
    return before.isPresent()
        ? before.get()
        : open.end(
            identity, request.part("id"), (tx, protocol) -> commit(tx, protocol, identity, id));
  }

  private JsonNode commit(
      Transaction tx, Protocol protocol, Identity identity, Optional<String> id) {
    if (tx.hasWrites()) {
      id.ifPresent(each -> scripts.note(tx, protocol, identity, each));
    }
    return Json.object().put("commit", Long.toString(scripts.commit(tx)));
  }

  private JsonNode rollBack(Request request) {
    return open.end(
        request.identity(),
        request.part("id"),
        (tx, protocol) -> {
          tx.rollback();
          return Json.object().put("rolled_back", true);
        });
  }

  private JsonNode outcome(Request request) {
    TransactionOutcome outcome = db.transactions().outcome(TransactionId.parse(request.part("id")));
    ObjectNode answer = Json.object();
    if (outcome instanceof Committed committed) {
      return answer
          .put("outcome", "committed")
          .put("commit", Long.toString(committed.commitTimestamp()));
    }
    return answer.put(
        "outcome",
        outcome instanceof TransactionOutcome.RolledBack
            ? "rolled back"
            : outcome instanceof TransactionOutcome.Undecided ? "undecided" : "unknown");
  }

  private JsonNode request(Request request) {
    return scripts
        .before(request.identity(), request.part("id"))
        .map(done -> done.put("state", "committed"))
        .orElseGet(() -> Json.object().put("state", "nothing yet"));
  }

  private JsonNode settle(Request request) {
    Optional<RequestLog.Done> done = requests.settle(request.identity().name(), request.part("id"));
    return done.map(
            each ->
                Json.object().put("state", "committed").put("commit", Long.toString(each.commit())))
        .orElseGet(() -> Json.object().put("state", "never"));
  }
}
