package io.braid.simulation.workload;

import io.braid.core.failure.ErrorCode;
import io.braid.core.store.StoreException;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.time.Timestamp;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.core.transaction.BlockedByTransactionException;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Staleness;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionException;
import io.braid.core.transaction.TransactionId;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.testkit.history.HistoryClock;
import io.braid.testkit.history.HistoryEntry;
import io.braid.testkit.history.HistoryEntry.Type;
import io.braid.testkit.history.Op;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs transactions and writes down how they ended. A transaction with an unknown outcome is asked
 * for; what the database then says of it is taken at its word, and judged with everything else.
 */
public final class Journal {
  private static final int QUESTIONS = 5;
  private static final Duration PAUSE = Duration.ofMillis(100);

  private final HistoryClock clock;
  private final List<HistoryEntry> entries = new ArrayList<>();
  private final Map<Type, Long> counts = new EnumMap<>(Type.class);
  private long conflicts;
  private long tooOld;

  public Journal(LongSupplier nanos) {
    this.clock = new HistoryClock(nanos, 0);
  }

  /** The work of a transaction; adds its operations to {@code ops}. */
  public interface Body {
    void run(Transaction tx, List<Op> ops);
  }

  /** The work of a transaction of the fast path; returns its version. */
  public interface FastBody {
    long run(FastSession session, List<Op> ops);
  }

  /** The use of a snapshot. */
  public interface Reading {
    void run(Snapshot snapshot, List<Op> ops);
  }

  public List<HistoryEntry> entries() {
    return entries;
  }

  /** How many transactions ended in which way. */
  public Map<Type, Long> counts() {
    return counts;
  }

  /** How many transactions failed because another one was first. */
  public long conflicts() {
    return conflicts;
  }

  /** Returns how many readers failed because their snapshots were too old. */
  public long tooOld() {
    return tooOld;
  }

  /** Runs a transaction; true when it committed. */
  public boolean transaction(Client client, Body body) {
    Attempt attempt = new Attempt(client);
    try (Transaction tx = client.transactions().begin()) {
      attempt.snapshot = tx.timestamp();
      body.run(tx, attempt.ops);
      client.dawdle();
      attempt.sent = true;
      attempt.committed(tx.commit());
    } catch (CommitOutcomeUnknownException e) {
      attempt.ask(e.id());
    } catch (TransactionException | TabletUnavailableException | TimestampUnavailableException e) {
      attempt.failed(e);
    } finally {
      attempt.end();
    }
    return attempt.type == Type.OK;
  }

  /** Runs a transaction of the fast path; true when it committed. */
  public boolean fast(Client client, FastBody body) {
    Attempt attempt = new Attempt(client);
    attempt.relaxed = true;
    attempt.sent = true;
    try {
      long version = body.run(client.fast(), attempt.ops);
      attempt.committed(version);
      // A regular transaction that wrote instead, at a timestamp of the oracle, is strong.
      attempt.relaxed =
          Timestamp.local(version) != 0 || attempt.ops.stream().allMatch(Journal::isRead);
    } catch (CommitOutcomeUnknownException e) {
      attempt.snapshot = e.id().start();
      attempt.ask(e.id());
    } catch (TransactionException | TabletUnavailableException | TimestampUnavailableException e) {
      attempt.failed(e);
    } finally {
      attempt.end();
    }
    return attempt.type == Type.OK;
  }

  /**
   * Reads from a snapshot of now, or from an older one where the client accepts that. Returns
   * whether that was possible. A read from an older snapshot counts as begun that long ago, and by
   * another client. It may miss what its own client has just committed, but nothing acknowledged
   * before.
   */
  public boolean reading(Client client, Reading body) {
    return reading(client, client.nextStaleness(), body);
  }

  private boolean reading(Client client, Duration staleness, Reading body) {
    Attempt attempt = staleness.isZero() ? new Attempt(client) : new Attempt(client, staleness);
    try (Snapshot snapshot = snapshot(client, staleness)) {
      attempt.snapshot = snapshot.timestamp();
      body.run(snapshot, attempt.ops);
      attempt.committed(snapshot.timestamp());
    } catch (ConflictException e) {
      throw e; // no read conflicts
    } catch (TransactionException | TabletUnavailableException | TimestampUnavailableException e) {
      attempt.failed(e);
    } finally {
      attempt.end();
    }
    return attempt.type == Type.OK;
  }

  private static Snapshot snapshot(Client client, Duration staleness) {
    return staleness.isZero()
        ? client.transactions().snapshot()
        : client.transactions().snapshot(Staleness.atMost(staleness));
  }

  /** Reads from a snapshot of now, however often that has to be tried. */
  public void surely(Client client, Reading body) {
    while (!reading(client, Duration.ZERO, body)) {
      client.seams().sleep(PAUSE);
    }
  }

  /** Whether others were in the way, or time was short. */
  private static boolean isExpected(ErrorCode code) {
    return switch (code) {
      case CONFLICT, SNAPSHOT_TOO_OLD, TRANSACTION_EXPIRED, UNAVAILABLE -> true;
      default -> false;
    };
  }

  /** One transaction on its way to an entry. */
  private final class Attempt {
    private final Client client;
    private final long identity;
    private final long start;
    private final boolean shared;
    private final List<Op> ops = new ArrayList<>();
    private long snapshot = HistoryEntry.NONE;
    private long commit = HistoryEntry.NONE;
    private boolean sent;
    private boolean relaxed;
    private @Nullable Type type;
    private @Nullable String error;

    private Attempt(Client client) {
      this.shared = false;
      this.client = client;
      this.identity = client.identity();
      this.start = clock.tick();
    }

    /** Begins an attempt whose snapshot may be that of another client's transaction. */
    private Attempt(Client client, Duration staleness) {
      this.shared = true;
      this.client = client;
      this.identity = client.anotherIdentity();
      this.start = Math.max(0, clock.tick() - staleness.toNanos());
    }

    void committed(long timestamp) {
      type = Type.OK;
      commit = timestamp;
    }

    void failed(RuntimeException e) {
      if (e instanceof TransactionException refusal && !isExpected(refusal.code())) {
        throw e;
      }
      type = Type.FAIL;
      conflicts += e instanceof ConflictException ? 1 : 0;
      tooOld +=
          e instanceof TransactionException refusal && refusal.code() == ErrorCode.SNAPSHOT_TOO_OLD
              ? 1
              : 0;
      error = HistoryEntry.errorOf(e);
    }

    /** The answer was lost: asks for the outcome, and believes the answer. */
    void ask(TransactionId id) {
      error = "the answer was lost";
      for (int i = 0; i < QUESTIONS && type == null; i++) {
        client.seams().sleep(Duration.ofNanos(client.random().around(500_000_000)));
        try {
          take(client.transactions().outcome(id));
        } catch (StoreException | BlockedByTransactionException | TimestampUnavailableException e) {
          error = "the outcome could not be asked";
        }
      }
    }

    private void take(TransactionOutcome outcome) {
      if (outcome instanceof TransactionOutcome.Committed committed) {
        committed(committed.commitTimestamp());
      } else if (outcome instanceof TransactionOutcome.RolledBack) {
        type = Type.FAIL;
        error = "rolled back";
      }
    }

    void end() {
      Type ended = type == null ? (sent ? Type.INFO : Type.FAIL) : type;
      List<Op> known = ended == Type.OK ? ops : ops.stream().filter(op -> !isRead(op)).toList();
      if (shared && ended != Type.OK) {
        snapshot = HistoryEntry.NONE;
      }
      if (ended == Type.INFO) {
        client.changeIdentity();
      }
      counts.merge(ended, 1L, Long::sum);
      entries.add(
          new HistoryEntry(
              identity, ended, start, clock.tick(), known, snapshot, commit, error, relaxed));
    }
  }

  private static boolean isRead(Op op) {
    return op instanceof Op.Read || op instanceof Op.Balances || op instanceof Op.Range;
  }
}
