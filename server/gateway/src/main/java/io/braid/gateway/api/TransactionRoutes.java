package io.braid.gateway.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.core.transaction.TransactionOutcome.Committed;
import io.braid.gateway.access.Role;
import io.braid.gateway.transactions.OpenTransactions.BegunTransaction;
import io.braid.http.Json;
import io.braid.text.Units;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Transactions: whole ones in one request, and open ones over several. */
final class TransactionRoutes {
  private final TransactionCalls calls;
  private final OperationReader reader;

  TransactionRoutes(TransactionCalls calls, OperationReader reader) {
    this.calls = calls;
    this.reader = reader;
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
            "The outcome of a transaction whose commit was not answered.",
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

  private JsonNode run(Request request) throws IOException {
    ObjectNode body = request.body();
    List<Operation> all = reader.read(body.path("operations"));
    return object(calls.run(request.identity(), all, requestId(body)));
  }

  private static ObjectNode object(TransactionCalls.CommitReply done) {
    ObjectNode answer = Json.object().put("commit", Long.toString(done.commit()));
    done.results()
        .filter(results -> !results.isEmpty())
        .ifPresent(results -> answer.set("results", ResultJson.write(results)));
    return done.before() ? answer.put("repeated", true) : answer;
  }

  private static Optional<String> requestId(ObjectNode body) {
    return body.has("request") ? Optional.of(body.path("request").asText()) : Optional.empty();
  }

  private JsonNode begin(Request request) throws IOException {
    ObjectNode body = request.body();
    Optional<Duration> lease =
        body.has("lease")
            ? Optional.of(Units.duration(body.path("lease").asText()))
            : Optional.empty();
    BegunTransaction begun = calls.begin(request.identity(), lease);
    return Json.object()
        .put("transaction", begun.id())
        .put("start", Long.toString(begun.start()))
        .put("lease_millis", begun.lease().toMillis());
  }

  private JsonNode operate(Request request) throws IOException {
    ObjectNode body = request.body();
    List<Operation> all = reader.read(body.path("operations"));
    List<Result> results = calls.operate(request.identity(), request.part("id"), all, step(body));
    return Json.object().set("results", ResultJson.write(results));
  }

  private static long step(ObjectNode body) {
    long step = Json.whole(body, "step", 0);
    if (step < 0 || (step == 0 && body.has("step"))) {
      throw new IllegalArgumentException("'step' is a number, from 1 on.");
    }
    return step;
  }

  private JsonNode commit(Request request) throws IOException {
    ObjectNode body = request.body();
    List<Operation> last =
        body.has("operations") ? reader.read(body.path("operations")) : List.of();
    return object(calls.commit(request.identity(), request.part("id"), last, requestId(body)));
  }

  private JsonNode rollBack(Request request) {
    calls.rollBack(request.identity(), request.part("id"));
    return Json.object().put("rolled_back", true);
  }

  private JsonNode outcome(Request request) {
    TransactionOutcome outcome = calls.outcome(request.identity(), request.part("id"));
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
    return calls
        .find(request.identity(), request.part("id"))
        .map(done -> object(done).put("state", "committed"))
        .orElseGet(() -> Json.object().put("state", "nothing yet"));
  }

  private JsonNode settle(Request request) {
    return calls
        .settle(request.identity(), request.part("id"))
        .map(commit -> Json.object().put("state", "committed").put("commit", Long.toString(commit)))
        .orElseGet(() -> Json.object().put("state", "never"));
  }
}
