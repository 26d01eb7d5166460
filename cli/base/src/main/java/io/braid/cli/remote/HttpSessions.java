package io.braid.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.http.Json;
import java.util.Set;

/** Transactions of a server by plain requests over HTTP, as anybody may write them. */
final class HttpSessions implements RemoteSessions {
  /** Words of refusals after which nothing was done, nor will be. */
  private static final Set<String> PASSING =
      Set.of("no such transaction", "snapshot too old", "transaction expired", "held by group");

  private final HttpCalls calls;

  HttpSessions(HttpCalls calls) {
    this.calls = calls;
  }

  @Override
  public void renew(String table, String protocol, String family) {
    String path = "/v1/tables/" + table;
    try {
      calls.once("DELETE", path, null);
    } catch (HttpFailure e) {
      if (e.status() != 404) {
        throw e;
      }
    }
    ObjectNode made = Json.object().put("protocol", protocol);
    made.putArray("families").add(family);
    calls.again("PUT", path, made);
  }

  @Override
  public Transaction begin() {
    return new HttpTransaction(calls);
  }

  /** Returns a snapshot of the moment at which a transaction begins. */
  @Override
  public Snapshot snapshot() {
    try (Transaction now = begin()) {
      return new HttpSnapshot(calls, now.timestamp());
    }
  }

  @Override
  public FastSession fast() {
    return new HttpFast(calls);
  }

  @Override
  public Failure failure(RuntimeException met) {
    if (met instanceof HttpTransaction.LostCommit lost) {
      return new Lost(() -> outcome(lost.request()));
    }
    if (met instanceof HttpFast.LostWrite) {
      return new Lost(TransactionOutcome.Unknown::new);
    }
    if (!(met instanceof HttpFailure failure)) {
      return new Defect();
    }
    if (failure.error().equals("conflict")) {
      return new NoEffect(true);
    }
    return failure.passes() || PASSING.contains(failure.error())
        ? new NoEffect(false)
        : new Defect();
  }

  private TransactionOutcome outcome(String request) {
    JsonNode answer = calls.again("DELETE", "/v1/requests/" + request, null);
    return answer.path("state").asText().equals("committed")
        ? new TransactionOutcome.Committed(Long.parseLong(answer.path("commit").asText()))
        : new TransactionOutcome.RolledBack();
  }

  @Override
  public void close() {}
}
