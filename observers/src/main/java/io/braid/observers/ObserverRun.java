package io.braid.observers;

import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.DamagedCellException;
import io.braid.core.store.StoreException;
import io.braid.core.store.TableReplacedException;
import io.braid.core.store.UnknownTableException;
import io.braid.core.time.Timestamp;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.CommitResult;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionException;
import io.braid.core.transaction.Transactions;
import io.braid.core.transaction.Transactions.ReadAhead;
import io.braid.observers.rows.DeadLetter;
import io.braid.observers.schedule.Failures;
import io.braid.observers.schedule.Pauses;
import io.braid.observers.schedule.Signals;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one observer on one row in one transaction (Percolator, section 2.4).
 *
 * <p>For a strong observer the transaction compares the newest change it sees with the
 * acknowledgment, and writes its own start timestamp there. Two transactions that deal with the
 * same change both write the acknowledgment, so at most one of them commits. A change that commits
 * above the start timestamp was not seen, is newer than the acknowledgment, and is left to another
 * run.
 *
 * <p>A lost answer to the commit needs no care: the next visit reads the acknowledgment.
 */
final class ObserverRun {
  private static final Logger LOG = LoggerFactory.getLogger(ObserverRun.class);
  private static final RunResult AGAIN = new RunResult.Again(false);

  private final CellStore store;
  private final Transactions transactions;
  private final Seams seams;
  private final Failures failures;
  private final DeadLetters deadLetters;
  private final RunRates rates;
  private final Pauses pauses;
  private final int maxAttempts;
  private final Counters counters;
  private final Signals signals;

  /**
   * @param maxAttempts how often an observer may throw on a row before its change there becomes a
   *     dead letter
   */
  ObserverRun(
      CellStore store,
      Transactions transactions,
      Seams seams,
      Failures failures,
      DeadLetters deadLetters,
      RunRates rates,
      Pauses pauses,
      int maxAttempts,
      Counters counters,
      Signals signals) {
    this.store = store;
    this.transactions = transactions;
    this.seams = seams;
    this.failures = failures;
    this.deadLetters = deadLetters;
    this.rates = rates;
    this.pauses = pauses;
    this.maxAttempts = maxAttempts;
    this.counters = counters;
    this.signals = signals;
  }

  /**
   * The notifications that an observer is to deal with.
   *
   * @param newest the newest notification for the observer, seen before now
   * @param changes how many notifications there are for the observer
   * @param committed the newest change if it is known; 0 if the column has to be read to find out
   * @param deadLetterUpTo the timestamp up to which the changes of the observer are dead letters
   * @param birth the birth of the table from which the notifications were read; {@link
   *     RowNotifications#TOLD} when they came from the committing transactions without a read
   */
  record NotifiedChanges(
      long newest, int changes, long committed, long deadLetterUpTo, long birth) {
    /** Whether they are of a table that there was before this one. */
    boolean isOfEarlierTable(long now) {
      return birth == RowNotifications.TOLD ? committed < now : birth != now;
    }
  }

  /** In how many nanoseconds the observer may run on the row again; 0 for now. */
  long nanosUntilAllowed(Watch watch, Row row) {
    return failures.nanosUntilAllowed(row, watch.name(), seams.nanoTime());
  }

  /** Returns the first read of {@link #attempt}; null when that read is not known. */
  static @Nullable ReadAhead firstRead(
      Watch watch, Row row, Transaction tx, NotifiedChanges notified) {
    if (watch.weak()) {
      return null;
    }
    return notified.committed == 0
        ? new ReadAhead(tx, row, watch.observed(), 0)
        : new ReadAhead(tx, row, watch.acknowledgment(), below(watch, notified.committed));
  }

  /**
   * Runs the observer if it has to; the commit is left to the caller.
   *
   * @param tx was begun after the notifications were read; ended here, unless it is to be committed
   */
  Attempt attempt(Watch watch, Row row, Transaction tx, NotifiedChanges notified) {
    boolean prepared = false;
    try {
      Attempt attempt = run(watch, row, tx, notified);
      prepared = attempt instanceof Attempt.Prepared;
      return attempt;
    } catch (TableReplacedException e) {
      return new Attempt.Ended(putOff(watch, row, e));
    } catch (UnknownTableException e) {
      return new Attempt.Ended(new RunResult.Gone());
    } catch (DamagedCellException e) {
      return new Attempt.Ended(failed(watch, row, notified.newest, e));
    } catch (TransactionException | StoreException | TimestampUnavailableException e) {
      return new Attempt.Ended(putOff(watch, row, e));
    } finally {
      if (!prepared) {
        tx.close();
      }
    }
  }

  private Attempt run(Watch watch, Row row, Transaction tx, NotifiedChanges notified) {
    if (notified.isOfEarlierTable(store.birth(row.table()))) {
      // The next visit reads the notifications again. A table that is created from now on refuses
      // the run.
      return new Attempt.Ended(AGAIN);
    }
    long start = tx.timestamp();
    long changed = watch.weak() ? notified.newest : unacknowledged(watch, row, tx, notified);
    if (changed <= notified.deadLetterUpTo
        || watch.ignoresDeletes() && tx.get(row, watch.observed()).isEmpty()) {
      return new Attempt.Ended(new RunResult.Clean(start, false));
    }
    ObserverBody body = watch.body();
    if (watch.paused()) {
      return new Attempt.Ended(new RunResult.Paused());
    } else if (body == null) {
      return new Attempt.Ended(new RunResult.Elsewhere());
    }
    long tooFast = rates.nanosUntilAllowed(watch.name(), row, seams.nanoTime(), seams.wallMillis());
    if (tooFast != 0) {
      return new Attempt.Ended(new RunResult.TooFast(tooFast));
    }
    long upTo = watch.weak() ? notified.newest : start;
    Attempt.Prepared run = new Attempt.Prepared(watch, row, notified, tx, changed, upTo);
    try {
      if (!watch.weak()) {
        tx.set(row, watch.acknowledgment(), start);
      }
      body.observe(new ObserverTransaction(tx), row);
    } catch (InterruptedException e) {
      if (signals.closing()) {
        Thread.currentThread().interrupt();
        return new Attempt.Ended(AGAIN);
      }
      return new Attempt.Ended(interrupted(run, e));
    } catch (Exception | LinkageError | AssertionError | VirtualMachineError e) {
      return new Attempt.Ended(dropInterrupt() ? interrupted(run, e) : ended(run, e));
    }
    return dropInterrupt() ? new Attempt.Ended(interrupted(run, null)) : run;
  }

  /** Whether the observer has left an interrupt behind, which would end the runs after it, too. */
  private boolean dropInterrupt() {
    // One that means the end comes after closing has begun.
    return !signals.closing() && Thread.interrupted();
  }

  /**
   * Returns the result of an interrupted run. Only the observer itself interrupts its thread,
   * except at the end.
   */
  private RunResult interrupted(Attempt.Prepared run, @Nullable Throwable error) {
    Throwable failure =
        new IllegalStateException("The observer has interrupted its own thread.", error);
    return failed(run.watch(), run.row(), run.upTo(), failure);
  }

  /** Notes the outcome of the commit. */
  RunResult end(Attempt.Prepared run, CommitResult result) {
    if (result instanceof CommitResult.Failed failed) {
      return ended(run, failed.failure());
    }
    counters.ran(run.notified().changes, seams.wallMillis() - Timestamp.wallMillis(run.changed()));
    failures.forget(run.row(), run.watch().name());
    return new RunResult.Clean(run.tx().timestamp(), true);
  }

  /** Runs once more, and commits. */
  RunResult runAlone(Attempt.Prepared before) {
    Transaction begun;
    try {
      begun = transactions.begin();
    } catch (TransactionException | StoreException | TimestampUnavailableException e) {
      return putOff(before.watch(), before.row(), e);
    }
    Attempt attempt = attempt(before.watch(), before.row(), begun, before.notified());
    if (!(attempt instanceof Attempt.Prepared run)) {
      return ((Attempt.Ended) attempt).result();
    }
    try (Transaction tx = run.tx()) {
      return end(run, CommitResult.of(tx::commit));
    }
  }

  private RunResult ended(Attempt.Prepared run, Throwable error) {
    if (error instanceof ConflictException) {
      counters.conflicts.increment();
      return new RunResult.Again(true);
    } else if (error instanceof UnknownTableException && store.table(run.row().table()).isEmpty()) {
      return new RunResult.Gone();
    } else if (error instanceof CommitOutcomeUnknownException) {
      counters.unknown.increment();
      return AGAIN;
    } else if (!(error instanceof UnknownTableException || error instanceof DamagedCellException)
        && (error instanceof TransactionException
            || error instanceof StoreException
            || error instanceof TimestampUnavailableException)) {
      return putOff(run.watch(), run.row(), error);
    }
    return failed(run.watch(), run.row(), run.upTo(), error);
  }

  static RunResult putOff(Watch watch, Row row, Throwable reason) {
    LOG.debug("Observer {} on {} is put off.", watch.name(), row, reason);
    return AGAIN;
  }

  /** Above which version an acknowledgment tells something of a change. */
  private static long below(Watch watch, long changed) {
    return watch.ignoresOwnWrites() ? changed - 1 : changed;
  }

  /** An older change, and with it its acknowledgment, may have been collected meanwhile. */
  private boolean isYoung(long changed) {
    return RowNotifications.isYoung(Timestamp.wallMillis(changed), seams.wallMillis());
  }

  /** The newest change if the observer has not acknowledged it; 0 if it has. */
  private long unacknowledged(Watch watch, Row row, Transaction tx, NotifiedChanges notified) {
    long changed =
        notified.committed != 0 && isYoung(notified.committed)
            ? notified.committed
            : tx.lastChanged(row, watch.observed()).orElse(0);
    if (changed == 0) {
      return 0;
    }
    // A run has seen the change if it began after it, and then its acknowledgment is newer, too.
    OptionalLong acknowledgment =
        tx.changedSince(row, watch.acknowledgment(), below(watch, changed));
    if (acknowledgment.isEmpty()) {
      return changed;
    } else if (acknowledgment.getAsLong() == changed) {
      return 0; // the run that acknowledged made the change itself
    }
    long acknowledged = tx.get(row, watch.acknowledgment()).orElse(0L);
    return changed > acknowledged ? changed : 0;
  }

  /**
   * @param upTo what it failed at: all changes up to here
   */
  private RunResult failed(Watch watch, Row row, long upTo, Throwable error) {
    counters.failures.increment();
    long now = seams.wallMillis();
    Failures.Failure failure = failures.failed(row, watch.name(), now);
    int attempts = failure.attempts();
    if (attempts == 1) {
      LOG.warn("Observer {} failed on {} and will be tried again.", watch.name(), row, error);
    } else {
      LOG.debug("Observer {} failed on {}, attempt {}.", watch.name(), row, attempts, error);
    }
    if (attempts >= maxAttempts) {
      DeadLetter change =
          new DeadLetter(
              watch.name(),
              row,
              watch.registration().column(),
              upTo,
              attempts,
              error.toString(),
              failure.firstMillis(),
              now);
      if (deadLetter(change, watch.weak())) {
        return new RunResult.Clean(upTo, false);
      }
    }
    long pause = pauses.nanosAfter(attempts);
    failures.tryAgainAt(row, watch.name(), seams.nanoTime() + pause);
    return new RunResult.Failed(pause);
  }

  private boolean deadLetter(DeadLetter change, boolean weak) {
    try {
      if (!deadLetters.add(change, weak)) {
        return false;
      }
    } catch (StoreException e) {
      LOG.debug("The dead letter of observer {} could not be written yet.", change.observer(), e);
      return false;
    }
    failures.forget(change.row(), change.observer());
    LOG.warn(
        "Observer {} has a dead letter on {} after {} attempts; replay it once the cause is gone.",
        change.observer(),
        change.row(),
        change.attempts());
    return true;
  }
}
