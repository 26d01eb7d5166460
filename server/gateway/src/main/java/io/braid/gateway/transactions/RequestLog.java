package io.braid.gateway.transactions;

import io.braid.Braid;
import io.braid.core.data.Bytes;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.failure.ErrorCode;
import io.braid.core.protocol.Duty;
import io.braid.core.runtime.Seams;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.Protocol;
import io.braid.core.transaction.RowCursor;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Scan;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.http.HttpRefusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The log of requests and their results. A client that may lose an answer gives its request a name.
 * The transaction that does the request also writes the name, so that either both exist or neither.
 * A repeated request gets its first answer. Two at once conflict, and only one is done.
 *
 * <p>A name belongs to one request: the log stores a fingerprint of the request with the name, and
 * a different request under the same name is refused.
 *
 * <p>A request that was <em>settled</em> before it was done will never be done: its name is taken.
 */
public final class RequestLog implements AutoCloseable {
  private static final Column<Bytes> ANSWER =
      Column.of(RequestTables.FAMILY, "answer", Codecs.bytes());
  private static final Column<Bytes> FINGERPRINT =
      Column.of(RequestTables.FAMILY, "fingerprint", Codecs.bytes());
  private static final Bytes SETTLED = Bytes.of("settled");
  private static final Duration PERIOD = Duration.ofMinutes(10);
  private static final int AT_A_TIME = 500;

  private final Braid db;
  private final Seams seams;
  private final Duration keep;
  private final Duty cleaning;

  /**
   * The result of a request.
   *
   * @param commit its commit timestamp
   * @param answer as it was recorded
   */
  public record RecordedResult(long commit, Bytes answer) {}

  /**
   * A request that has a name.
   *
   * @param identity to which the name belongs
   * @param fingerprint of what it asks for
   */
  public record NamedRequest(String identity, String name, Bytes fingerprint) {}

  /**
   * @param keep how long requests are remembered
   */
  public RequestLog(Braid db, Seams seams, Duration keep) {
    this.db = db;
    this.seams = seams;
    this.keep = keep;
    // A transaction cannot write a table that is younger than itself, so the tables exist from the
    // start.
    for (RequestTables table : RequestTables.values()) {
      ready(table.protocol());
    }
    this.cleaning = Duty.start(seams, "forget-requests", PERIOD, this::forget);
  }

  /** The row of a request; its name belongs to the identity. */
  private static Row row(RequestTables table, String identity, String request) {
    if (!request.matches("[A-Za-z0-9_.:-]{8,100}")) {
      throw new IllegalArgumentException(
          "A request is named by 8 to 100 letters, digits and '_.:-', such as a UUID.");
    }
    return Row.of(table.table(), identity + "/" + request);
  }

  /** Makes sure that requests of a protocol can be noted. */
  public void ready(Protocol protocol) {
    RequestTables table = RequestTables.of(protocol);
    if (!isThere(table)) {
      db.ensureTable(table.table(), table.protocol(), RequestTables.FAMILY);
    }
  }

  /**
   * Returns the result of a request, as a snapshot or transaction sees it.
   *
   * @throws HttpRefusal when the request was settled
   */
  public Optional<RecordedResult> find(Snapshot reads, String identity, String request) {
    boolean settled = false;
    for (RequestTables table : RequestTables.values()) {
      Row row = row(table, identity, request);
      Optional<Bytes> answer = isThere(table) ? reads.get(row, ANSWER) : Optional.empty();
      if (answer.isPresent() && !answer.get().equals(SETTLED)) {
        return Optional.of(
            new RecordedResult(reads.lastChanged(row, ANSWER).orElse(0), answer.get()));
      }
      settled |= answer.isPresent();
    }
    if (settled) {
      throw new HttpRefusal(
          410, "settled", "Request " + request + " was settled: it was not and will not be done.");
    }
    return Optional.empty();
  }

  /**
   * As {@link #find(Snapshot, String, String)}.
   *
   * @throws HttpRefusal when it was settled, or its name was given to another request
   */
  public Optional<RecordedResult> find(Snapshot reads, NamedRequest request) {
    Optional<RecordedResult> done = find(reads, request.identity(), request.name());
    if (done.isPresent()) {
      for (RequestTables table : RequestTables.values()) {
        requireSame(reads, table, request);
      }
    }
    return done;
  }

  /** Requests of older versions have no fingerprint. */
  private void requireSame(Snapshot reads, RequestTables table, NamedRequest request) {
    Row row = row(table, request.identity(), request.name());
    if (isThere(table)
        && !reads
            .get(row, FINGERPRINT)
            .orElse(request.fingerprint())
            .equals(request.fingerprint())) {
      throw new HttpRefusal(
          409,
          ErrorCode.NAME_TAKEN.word(),
          "Another request was named " + request.name() + ": give each one a name of its own.");
    }
  }

  private boolean isThere(RequestTables table) {
    return db.store().table(table.table()).isPresent();
  }

  /** Records, in a transaction, that it does a request. */
  public void note(Transaction tx, Protocol protocol, NamedRequest request, Bytes answer) {
    Row row = row(RequestTables.of(protocol), request.identity(), request.name());
    tx.set(row, ANSWER, answer);
    tx.set(row, FINGERPRINT, request.fingerprint());
  }

  /**
   * Returns the result of a request. If there is none, makes sure that the request will never be
   * done. A request under way conflicts only with entries in the table of its own protocol, so the
   * request is settled in each table.
   *
   * @return empty when the request will never be done
   */
  public Optional<RecordedResult> settle(String identity, String request) {
    ready(Protocol.PERCOLATOR);
    Optional<RecordedResult> done = Optional.empty();
    for (RequestTables table : RequestTables.values()) {
      // Checked only now: a process that makes the table later finds the entries in the other
      // tables.
      if (done.isEmpty() && isThere(table)) {
        done = settle(table, identity, request);
      }
    }
    return done;
  }

  private Optional<RecordedResult> settle(RequestTables table, String identity, String request) {
    Row own = row(table, identity, request);
    return db.run(
        tx -> {
          Optional<RecordedResult> done = Optional.empty();
          try {
            done = find(tx, identity, request);
          } catch (HttpRefusal settled) {
            // In this table, or in another one only.
            if (tx.get(own, ANSWER).isPresent()) {
              return done;
            }
          }
          if (done.isEmpty()) {
            tx.set(own, ANSWER, SETTLED);
          }
          return done;
        });
  }

  private boolean forget() {
    boolean more = false;
    for (RequestTables table : RequestTables.values()) {
      if (isThere(table)) {
        more |= forget(table);
      }
    }
    return more;
  }

  private boolean forget(RequestTables table) {
    // Uses the clock of the timestamps: the clock of this machine may be wrong.
    long before = Timestamp.before(db.oracle().lastIssued(), keep);
    List<Row> old = new ArrayList<>();
    try (Snapshot now = db.snapshot()) {
      Scan scan = Scan.of(table.table()).column(ANSWER);
      try (RowCursor rows = now.scan(scan)) {
        while (rows.hasNext() && old.size() < AT_A_TIME) {
          RowValues each = rows.next();
          if (now.lastChanged(each.row(), ANSWER).orElse(0) < before) {
            old.add(each.row());
          }
        }
      }
    }
    if (!old.isEmpty()) {
      db.run(
          tx -> {
            old.forEach(row -> tx.delete(row, ANSWER));
            old.forEach(row -> tx.delete(row, FINGERPRINT));
            return true;
          });
    }
    return old.size() == AT_A_TIME;
  }

  @Override
  public void close() {
    cleaning.close();
  }
}
