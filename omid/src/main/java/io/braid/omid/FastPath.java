package io.braid.omid;

import io.braid.core.cells.CellWrite;
import io.braid.core.cells.DecisionPoint.CommitEntry;
import io.braid.core.cells.RowMutation;
import io.braid.core.cells.WriteGuard.Refusal;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.protocol.Backoff;
import io.braid.core.protocol.ColumnRules;
import io.braid.core.protocol.WriteBuffer;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.ConflictException.Cause;
import io.braid.core.transaction.ConflictException.Conflict;
import io.braid.core.transaction.KeyHeldByGroupException;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.TransactionId;
import io.braid.omid.rows.Answer;
import io.braid.omid.rows.CommitEntries;
import io.braid.omid.rows.FastRead;
import io.braid.omid.rows.FastWrite;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Transactions of one operation on one column of one row, without the transaction manager, each in
 * one trip (section 4.1). Conflicts with regular transactions are found where the row lives.
 *
 * <p>What is relaxed (section 2.2): a read may miss a commit whose post-commit is not done, of
 * another process; all else is in order. One object is a session: what it writes later, on whatever
 * server, has a higher version, so no snapshot shows a later write without the earlier ones. Safe
 * for many threads.
 */
public final class FastPath {
  private static final int CLOCK_ATTEMPTS = 8;

  private final Surroundings around;
  private final PostCommitDuty postCommit;
  private final OmidTransactions regular;
  private final AtomicLong last = new AtomicLong();

  /**
   * A value and its version.
   *
   * @param version 0 when the column was never written
   */
  public record Versioned<T>(long version, Optional<T> value) {}

  FastPath(Surroundings around, PostCommitDuty postCommit, OmidTransactions regular) {
    this.around = around;
    this.postCommit = postCommit;
    this.regular = regular;
  }

  /** The newest committed value (the paper's {@code brc}). */
  public <T> Optional<T> read(Row row, Column<T> column) {
    return readVersion(row, column).value();
  }

  /** The newest committed value and its version, for {@link #writeIf} ({@code br}). */
  public <T> Versioned<T> readVersion(Row row, Column<T> column) {
    ColumnRules.check(row.table(), column.name());
    if (postCommit.isBusy()) {
      return readRegularly(row, column);
    }
    Backoff backoff = around.storeBackoff();
    for (int attempt = 1; ; attempt++) {
      Outcome<FastRead.Answer> outcome =
          around
              .trips()
              .execute(
                  FastRead.INSTANCE, new FastRead.Request(row, column.name()), Durability.BUFFERED);
      if (outcome instanceof Outcome.Done<FastRead.Answer> done) {
        FastRead.Answer answer = done.result();
        return new Versioned<>(
            answer.version(), Optional.ofNullable(answer.value()).map(column.codec()::decode));
      }
      if (attempt == around.storeAttempts() || !backoff.pause()) {
        throw new TabletUnavailableException("The store did not answer a read: " + outcome);
      }
    }
  }

  /** Commits of this process may have their post-commit before them: a snapshot sees them. */
  private <T> Versioned<T> readRegularly(Row row, Column<T> column) {
    try (Snapshot snapshot = regular.snapshot()) {
      return new Versioned<>(
          snapshot.lastChanged(row, column).orElse(0), snapshot.get(row, column));
    }
  }

  /**
   * Writes a value, whatever stands there ({@code bwc}).
   *
   * @return its version
   * @throws ConflictException when a regular transaction is writing the column: try again, or write
   *     in a regular transaction
   * @throws CommitOutcomeUnknownException when the answer was lost
   */
  public <T> long write(Row row, Column<T> column, T value) {
    return put(row, column, value, FastWrite.ANY);
  }

  /**
   * Writes a value if the column has not been written since it had this version ({@code wc}).
   *
   * @throws ConflictException when it has
   */
  public <T> long writeIf(long version, Row row, Column<T> column, T value) {
    return put(row, column, value, version);
  }

  private <T> long put(Row row, Column<T> column, T value, long upTo) {
    ColumnRules.check(row.table(), column.name());
    around.tables().require(row.table(), column.name().family());
    if (regular.isObserved(row.table(), column.name())) {
      throw new IllegalArgumentException(
          "Column " + column.name() + " is observed: write it in a regular transaction.");
    }
    WriteBuffer buffer =
        new WriteBuffer(around.options().limits(), around.options().smallValueBytes());
    buffer.set(row, column.name(), column.codec().encode(value));
    List<CellWrite> cells = new ArrayList<>(buffer.at(row).values());
    RowMutation mutation =
        new RowMutation(row, around.tables().epoch(row.table()), cells, List.of());
    long id = around.seams().random().nextLong(1, 1L << 48) << 8 | 1;
    long atLeast = Math.max(last.get(), around.oracle().lastIssued());
    long version = send(new FastWrite.Request(mutation, id, upTo, atLeast));
    last.accumulateAndGet(version, Math::max);
    return version;
  }

  private long send(FastWrite.Request request) {
    Backoff backoff = around.storeBackoff();
    boolean sent = false;
    int clocks = 0;
    for (int attempt = 1; ; ) {
      Outcome<Answer> outcome =
          around.trips().execute(FastWrite.INSTANCE, request, around.atCommit());
      if (outcome instanceof Outcome.Done<Answer> done) {
        if (done.result() instanceof Answer.Committed committed) {
          return committed.commit();
        }
        if (done.result() instanceof Answer.Exhausted && clocks++ < CLOCK_ATTEMPTS) {
          around.store().advanceClock(around.oracle().next());
          continue;
        }
        if (sent) {
          throw unknown(request, done.result().toString());
        }
        throw refused(request, done.result());
      }
      sent |= outcome instanceof Outcome.Unknown<Answer>;
      if (attempt++ == around.storeAttempts() || !backoff.pause()) {
        throw sent
            ? unknown(request, outcome.toString())
            : new TabletUnavailableException("The store did not take a write: " + outcome);
      }
    }
  }

  private static RuntimeException unknown(FastWrite.Request request, String detail) {
    RowMutation mutation = request.mutation();
    CommitEntry witness =
        new CommitEntry(
            CommitEntries.TABLE,
            CommitEntries.keyWithWitness(
                request.id(), mutation.row(), mutation.cells().get(0).column()));
    return new CommitOutcomeUnknownException(new TransactionId(request.id(), witness), detail);
  }

  private RuntimeException refused(FastWrite.Request request, Answer answer) {
    Row row = request.mutation().row();
    if (answer instanceof Answer.Colliding colliding) {
      List<Conflict> conflicts = new ArrayList<>();
      for (Answer.Collision each : colliding.collisions()) {
        Cause cause = each.tentative() ? Cause.LOCKED : Cause.NEWER_COMMIT;
        conflicts.add(new Conflict(each.row(), each.column(), cause, each.other()));
      }
      return new ConflictException(conflicts);
    }
    if (answer instanceof Answer.Refused refused) {
      if (refused.refusal() instanceof Refusal.Held held) {
        return new KeyHeldByGroupException(held.row(), held.group());
      }
      long epoch = around.tables().refresh(row.table()).epoch();
      return new ConflictException(
          List.of(
              new Conflict(
                  row, request.mutation().cells().get(0).column(), Cause.NEW_EPOCH, epoch)));
    }
    return new TabletUnavailableException(
        "The tablet clock of " + row + " has no timestamps left: try again.");
  }

  /** Whether this is the id of a fast write, not a start timestamp. */
  static boolean isRequest(long id) {
    return (id & 0xFF) != 0;
  }
}
