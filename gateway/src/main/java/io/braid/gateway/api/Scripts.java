package io.braid.gateway.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.Braid;
import io.braid.Protocol;
import io.braid.core.data.Bytes;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.gateway.access.Identity;
import io.braid.gateway.access.Role;
import io.braid.gateway.transactions.RequestLog;
import io.braid.http.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/** Whole transactions in one request, and the memory of those that were named. */
final class Scripts {
  /** Longer results are not remembered, only that the request was done. */
  private static final int MOST_REMEMBERED = 64 << 10;

  private final Braid db;
  private final RequestLog requests;
  private final Operations operations;
  private final Commits commits;

  Scripts(Braid db, RequestLog requests, Commits commits) {
    this.db = db;
    this.requests = requests;
    this.operations = new Operations(db);
    this.commits = commits;
  }

  /** Does all operations, or none; again on a conflict, as a whole. */
  ObjectNode run(Identity identity, List<Operation> all, Optional<String> request) {
    Optional<Protocol> writes = writes(all);
    if (writes.isEmpty()) {
      return commits.measured(() -> db.run(tx -> answer(tx, operations.run(tx, all))));
    }
    Protocol protocol = writes.get();
    request.ifPresent(id -> requests.ready(protocol));
    return commits.measured(
        () ->
            db.run(
                tx -> {
                  Optional<ObjectNode> before = request.flatMap(id -> before(tx, identity, id));
                  if (before.isPresent()) {
                    return before.get();
                  }
                  ArrayNode results = operations.run(tx, all);
                  request.ifPresent(id -> note(tx, protocol, identity, id, results));
                  return answer(tx, results);
                }));
  }

  private static ObjectNode answer(Transaction tx, ArrayNode results) {
    ObjectNode answer = Json.object();
    answer.put("commit", Long.toString(tx.commit()));
    answer.set("results", results);
    return answer;
  }

  /** The protocol of the table that is written first; those of another are refused later. */
  Optional<Protocol> writes(List<Operation> all) {
    return all.stream()
        .filter(each -> each.role() == Role.WRITE)
        .findFirst()
        .map(each -> db.protocol(each.table()));
  }

  /** What a request has done before. */
  Optional<ObjectNode> before(Identity identity, String request) {
    try (Snapshot now = db.snapshot()) {
      return before(now, identity, request);
    }
  }

  private Optional<ObjectNode> before(Snapshot reads, Identity identity, String request) {
    return requests
        .find(reads, identity.name(), request)
        .map(
            done -> {
              ObjectNode answer = parsed(done.answer());
              return answer.put("commit", Long.toString(done.commit())).put("repeated", true);
            });
  }

  private static ObjectNode parsed(Bytes answer) {
    try {
      return Json.read(new ByteArrayInputStream(answer.toArray()), 2 * MOST_REMEMBERED);
    } catch (IOException e) {
      throw new UncheckedIOException("Bytes in memory could not be read.", e);
    }
  }

  private void note(
      Transaction tx, Protocol protocol, Identity identity, String request, ArrayNode results) {
    ObjectNode answer = Json.object();
    answer.set("results", results);
    Bytes text = Bytes.of(answer.toString());
    requests.note(
        tx,
        protocol,
        identity.name(),
        request,
        text.length() <= MOST_REMEMBERED ? text : Bytes.of("{}"));
  }

  /** Notes that an open transaction does a request. */
  void note(Transaction tx, Protocol protocol, Identity identity, String request) {
    requests.ready(protocol);
    requests.note(tx, protocol, identity.name(), request, Bytes.of("{}"));
  }

  /** Commits an open transaction. */
  long commit(Transaction tx) {
    return commits.measured(tx::commit);
  }
}
