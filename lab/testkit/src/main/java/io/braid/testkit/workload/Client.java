package io.braid.testkit.workload;

import io.braid.core.runtime.Seams;
import io.braid.core.store.StoreException;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.Snapshot;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionOutcome;
import io.braid.testkit.history.HistoryEntry;
import io.braid.testkit.history.HistoryEntry.Type;
import io.braid.testkit.history.Op;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Runs transactions one after another and records how they ended. For one thread at a time.
 *
 * <p>A transaction that wrote something is recorded twice: before its commit is asked for, as INFO,
 * and when its end is known. So the entries of a client that is killed amid a commit show which
 * writes may have taken effect ({@link OpenEntries} makes a history of them). A transaction whose
 * commit was not asked for has no effect, and a client that is killed before leaves no trace of it.
 *
 * <p>When the answer to a commit was lost, the client asks the database for the outcome and
 * believes it. The checker shows if the database lied.
 */
public final class Client {
  private static final int QUESTIONS = 5;
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final Sessions sessions;
  private final Seams seams;
  private final RandomGenerator random;
  private final Journal journal;
  private final Runnable dawdle;
  private long process;
  private @Nullable FastSession session;

  /** The body of a transaction; adds its operations to {@code ops}. */
  public interface Body<S extends Snapshot> {
    void run(S reads, List<Op> ops);
  }

  /** The body of a transaction of the fast path; returns its version. */
  public interface FastBody {
    /**
     * Runs it.
     *
     * @param sends to be called before a write is sent, when {@code ops} has it
     */
    long run(FastSession fast, List<Op> ops, Runnable sends);
  }

  /**
   * @param dawdle called now and then in the middle of transactions
   */
  public Client(
      Sessions sessions, Seams seams, RandomGenerator random, Journal journal, Runnable dawdle) {
    this.sessions = sessions;
    this.seams = seams;
    this.random = random;
    this.journal = journal;
    this.dawdle = dawdle;
    this.process = journal.newProcess();
  }

  RandomGenerator random() {
    return random;
  }

  Journal journal() {
    return journal;
  }

  /** A place between two operations where others may come first. */
  void dawdle() {
    dawdle.run();
  }

  /**
   * Runs a transaction; true when it committed.
   *
   * @throws RuntimeException what no database should throw; it is recorded
   */
  boolean transact(Body<Transaction> body) {
    Attempt attempt = new Attempt();
    try (Transaction tx = sessions.begin()) {
      attempt.snapshot = tx.timestamp();
      body.run(tx, attempt.ops);
      dawdle();
      if (tx.hasWrites()) {
        attempt.sent();
      }
      attempt.committed(tx.commit());
    } catch (RuntimeException e) {
      attempt.fail(e);
    } finally {
      attempt.end();
    }
    return attempt.isCommitted();
  }

  /**
   * Runs a transaction of the fast path, which may take effect in the past; true when it committed.
   *
   * @throws RuntimeException what no database should throw; it is recorded
   */
  boolean fast(FastBody body) {
    Attempt attempt = new Attempt();
    attempt.relaxed = true;
    try {
      long version = body.run(session(), attempt.ops, attempt::sent);
      attempt.committed(version);
      // A write that became a regular transaction, at a timestamp of the oracle, is strong.
      attempt.relaxed =
          Timestamp.local(version) != 0
              || attempt.ops.stream().allMatch(op -> op instanceof Op.Read);
    } catch (RuntimeException e) {
      attempt.fail(e);
    } finally {
      attempt.end();
    }
    return attempt.isCommitted();
  }

  private FastSession session() {
    FastSession open = session;
    if (open == null) {
      open = sessions.fast();
      session = open;
    }
    return open;
  }

  /** Reads from a snapshot of now; true when that was possible. */
  boolean read(Body<Snapshot> body) {
    Attempt attempt = new Attempt();
    try (Snapshot snapshot = sessions.snapshot()) {
      attempt.snapshot = snapshot.timestamp();
      body.run(snapshot, attempt.ops);
      attempt.committed(snapshot.timestamp());
    } catch (RuntimeException e) {
      attempt.fail(e);
    } finally {
      attempt.end();
    }
    return attempt.isCommitted();
  }

  /** One transaction on its way to an entry. */
  private final class Attempt {
    private final long start = journal.tick();
    private final List<Op> ops = new ArrayList<>();
    private long snapshot = HistoryEntry.NONE;
    private long commit = HistoryEntry.NONE;
    private boolean sent;
    private boolean relaxed;
    private @Nullable Type type;
    private @Nullable String error;

    boolean isCommitted() {
      return type == Type.OK;
    }

    void sent() {
      sent = true;
      record(Type.INFO, "its client did not live to see the answer");
    }

    void committed(long timestamp) {
      type = Type.OK;
      commit = timestamp;
    }

    void fail(RuntimeException met) {
      error = HistoryEntry.errorOf(met);
      Sessions.Failure failure = sessions.failure(met);
      if (failure instanceof Sessions.Lost lost) {
        ask(lost.question());
      } else if (failure instanceof Sessions.NoEffect none) {
        type = Type.FAIL;
        if (!none.now()) {
          seams.sleep(PAUSE);
        }
      } else {
        throw met;
      }
    }

    /** Asks for the outcome of a commit whose answer was lost. */
    private void ask(Supplier<TransactionOutcome> question) {
      error = "the answer to the commit was lost";
      for (int i = 0; i < QUESTIONS && type == null; i++) {
        try {
          take(question.get());
        } catch (RuntimeException e) {
          if (sessions.failure(e) instanceof Sessions.Defect && !(e instanceof StoreException)) {
            throw e;
          }
          seams.sleep(PAUSE.multipliedBy(1L << i));
        }
      }
    }

    private void take(TransactionOutcome outcome) {
      if (outcome instanceof TransactionOutcome.Committed known) {
        committed(known.commitTimestamp());
        error = null;
      } else if (outcome instanceof TransactionOutcome.RolledBack) {
        type = Type.FAIL;
      } else {
        seams.sleep(PAUSE);
      }
    }

    void end() {
      Type ended = type == null ? (sent ? Type.INFO : Type.FAIL) : type;
      record(ended, error);
      if (ended == Type.INFO) {
        process = journal.newProcess();
      }
    }

    private void record(Type as, @Nullable String why) {
      journal.record(
          new HistoryEntry(
              process, as, start, journal.tick(), ops, snapshot, commit, why, relaxed));
    }
  }
}
