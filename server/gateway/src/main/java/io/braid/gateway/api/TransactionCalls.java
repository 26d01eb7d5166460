package io.braid.gateway.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.braid.Braid;
import io.braid.core.data.Bytes;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.gateway.access.Identity;
import io.braid.gateway.access.Role;
import io.braid.gateway.transactions.OpenTransactions;
import io.braid.gateway.transactions.OpenTransactions.BegunTransaction;
import io.braid.gateway.transactions.RequestLog;
import io.braid.gateway.transactions.SignedIds;
import io.braid.http.HttpRefusal;
import io.braid.http.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Transactions of clients on all ways into the node: whole ones at once, and open ones over several
 * requests; and the memory of named requests.
 */
public final class TransactionCalls {
  /** Longer results are not remembered, only that the request was done. */
  private static final int MOST_REMEMBERED = 64 << 10;

  private final Braid db;
  private final OpenTransactions open;
  private final RequestLog requests;
  private final Operations operations;
  private final Commits commits;
  private final SignedIds ids;

  /**
   * A transaction that committed.
   *
   * @param results missing when it was done before and they were too long to be remembered
   * @param before whether this request was done before
   */
  public record CommitReply(long commit, Optional<List<Result>> results, boolean before) {}

  TransactionCalls(
      Braid db, OpenTransactions open, RequestLog requests, Commits commits, SignedIds ids) {
    this.db = db;
    this.open = open;
    this.requests = requests;
    this.operations = new Operations(db);
    this.commits = commits;
    this.ids = ids;
  }

  private static void allow(Identity identity, List<Operation> all) {
    all.forEach(each -> identity.require(each.role(), each.table()));
  }

  /** Does all operations, or none; again on a conflict, as a whole. */
  public CommitReply run(Identity identity, List<Operation> all, Optional<String> request) {
    allow(identity, all);
    Optional<Protocol> writes = writes(all);
    if (writes.isEmpty()) {
      return commits.measured(() -> db.run(tx -> done(tx, operations.run(tx, all))));
    }
    Protocol protocol = writes.get();
    Optional<RequestLog.NamedRequest> named = named(identity, request, "", all);
    named.ifPresent(each -> requests.ready(protocol));
    return commits.measured(
        () ->
            db.run(
                tx -> {
                  Optional<CommitReply> before = named.flatMap(each -> find(tx, each));
                  if (before.isPresent()) {
                    return before.get();
                  }
                  List<Result> results = operations.run(tx, all);
                  named.ifPresent(each -> requests.note(tx, protocol, each, text(results)));
                  return done(tx, results);
                }));
  }

  private static Optional<RequestLog.NamedRequest> named(
      Identity identity, Optional<String> request, String of, List<Operation> all) {
    return request.map(
        name -> new RequestLog.NamedRequest(identity.name(), name, Fingerprint.of(of, all)));
  }

  private static CommitReply done(Transaction tx, List<Result> results) {
    return new CommitReply(tx.commit(), Optional.of(results), false);
  }

  /**
   * Returns the protocol of the table that is written first; writes to tables of another protocol
   * are refused later.
   */
  private Optional<Protocol> writes(List<Operation> all) {
    return all.stream()
        .filter(each -> each.role() == Role.WRITE)
        .findFirst()
        .map(each -> db.tables().protocol(each.table()));
  }

  /**
   * Begins one that stays open.
   *
   * @param lease empty: the usual one
   */
  public BegunTransaction begin(Identity identity, Optional<Duration> lease) {
    return lease.isPresent() ? open.begin(identity, lease.get()) : open.begin(identity);
  }

  /**
   * Does operations in an open one.
   *
   * @param step its number, so that a request which was delayed does nothing; 0: not counted
   */
  public List<Result> operate(Identity identity, String id, List<Operation> all, long step) {
    allow(identity, all);
    if (step < 0) {
      throw new IllegalArgumentException("'step' is a number, from 1 on.");
    }
    long bytes = all.stream().mapToLong(Operation::bytes).sum();
    return open.use(
        identity,
        id,
        new OpenTransactions.Step(
            step, bytes, writes(all), step == 0 ? Bytes.EMPTY : Fingerprint.of("", all)),
        (tx, changing) -> operations.run(tx, all, changing));
  }

  /**
   * Does the last operations of an open transaction and commits it; the transaction is over then in
   * any case.
   */
  public CommitReply commit(
      Identity identity, String id, List<Operation> all, Optional<String> request) {
    allow(identity, all);
    Optional<RequestLog.NamedRequest> named = named(identity, request, id, all);
    Optional<CommitReply> before = named.flatMap(this::find);
    if (before.isPresent()) {
      return before.get();
    }
    try {
      return open.commit(
          identity, id, (tx, protocol) -> commit(tx, writes(all).orElse(protocol), all, named));
    } catch (HttpRefusal e) {
      // The same request, sent twice, may have ended the transaction after the lookup.
      return named.flatMap(this::find).orElseThrow(() -> e);
    }
  }

  private CommitReply commit(
      Transaction tx,
      Protocol protocol,
      List<Operation> all,
      Optional<RequestLog.NamedRequest> request) {
    return commits.measured(
        () -> {
          List<Result> results = operations.run(tx, all);
          if (tx.hasWrites()) {
            request.ifPresent(
                each -> {
                  requests.ready(protocol);
                  // The transaction is older than what has settled the request meanwhile, where
                  // there was no table yet that both would have written.
                  find(each);
                  requests.note(tx, protocol, each, text(results));
                });
          }
          return done(tx, results);
        });
  }

  /** Rolls an open one back. */
  public void rollBack(Identity identity, String id) {
    open.rollBack(identity, id);
  }

  /**
   * Returns the final state of a transaction whose outcome was unknown.
   *
   * @param id as this identity got it
   */
  public TransactionOutcome outcome(Identity identity, String id) {
    return db.transactions().outcome(ids.verify(identity.name(), id));
  }

  /** Returns the result of a request until now, if there is one. */
  public Optional<CommitReply> find(Identity identity, String request) {
    try (Snapshot now = db.snapshot()) {
      return find(now, identity, request);
    }
  }

  /**
   * Returns the commit timestamp of a request. If the request has done nothing, makes sure that it
   * never will.
   *
   * @return empty when it never will
   * @throws HttpRefusal 403 when the identity may write nothing: a name takes room in the store
   */
  public Optional<Long> settle(Identity identity, String request) {
    identity.requireAny(Role.WRITE);
    return requests.settle(identity.name(), request).map(RequestLog.RecordedResult::commit);
  }

  private Optional<CommitReply> find(Snapshot reads, Identity identity, String request) {
    return requests.find(reads, identity.name(), request).map(TransactionCalls::again);
  }

  private Optional<CommitReply> find(RequestLog.NamedRequest request) {
    try (Snapshot now = db.snapshot()) {
      return find(now, request);
    }
  }

  private Optional<CommitReply> find(Snapshot reads, RequestLog.NamedRequest request) {
    return requests.find(reads, request).map(TransactionCalls::again);
  }

  private static CommitReply again(RequestLog.RecordedResult done) {
    return new CommitReply(done.commit(), results(done.answer()), true);
  }

  private static Bytes text(List<Result> results) {
    ObjectNode answer = Json.object();
    answer.set("results", ResultJson.write(results));
    Bytes text = Bytes.of(answer.toString());
    return text.length() <= MOST_REMEMBERED ? text : Bytes.of("{}");
  }

  private static Optional<List<Result>> results(Bytes text) {
    try {
      ObjectNode answer = Json.read(new ByteArrayInputStream(text.toArray()), 2 * MOST_REMEMBERED);
      return answer.has("results")
          ? Optional.of(ResultJson.read(answer.path("results")))
          : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("Bytes in memory could not be read.", e);
    }
  }
}
