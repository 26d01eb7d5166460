package io.braid.observers;

import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.store.StoreException;
import io.braid.core.store.UnknownTableException;
import io.braid.core.time.Timestamp;
import io.braid.core.time.TimestampUnavailableException;
import io.braid.core.transaction.CommitOutcomeUnknownException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.Transaction;
import io.braid.core.transaction.TransactionException;
import io.braid.core.transaction.Transactions;
import java.util.OptionalLong;
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
  private static final RunResult AGAIN = new RunResult.Again();

  private final Transactions transactions;
  private final Seams seams;
  private final Failures failures;
  private final Pauses pauses;
  private final Counters counters;

  ObserverRun(
      Transactions transactions, Seams seams, Failures failures, Pauses pauses, Counters counters) {
    this.transactions = transactions;
    this.seams = seams;
    this.failures = failures;
    this.pauses = pauses;
    this.counters = counters;
  }

  /**
   * Runs the observer if it has to.
   *
   * @param newest the newest notification for it, seen before now
   * @param changes how many notifications there are for it
   */
  RunResult run(Watch watch, Row row, long newest, int changes) {
    long wait = failures.nanosUntilAllowed(row, watch.name(), newest, seams.nanoTime());
    if (wait != 0) {
      return wait == Failures.NEVER ? new RunResult.GivenUp() : new RunResult.Failed(wait);
    }
    try (Transaction tx = transactions.begin()) {
      RunResult result = run(watch, row, tx, newest);
      if (result instanceof RunResult.Clean clean && clean.ran()) {
        counters.runs.increment();
        counters.collapsed.add(changes - 1);
        failures.succeeded(row, watch.name());
      }
      return result;
    } catch (ConflictException e) {
      counters.conflicts.increment();
      return AGAIN;
    } catch (CommitOutcomeUnknownException e) {
      counters.unknown.increment();
      return AGAIN;
    } catch (UnknownTableException e) {
      return failed(watch, row, newest, e);
    } catch (TransactionException | StoreException | TimestampUnavailableException e) {
      LOG.debug("Observer {} on {} is put off.", watch.name(), row, e);
      return AGAIN;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return AGAIN;
    } catch (Exception | LinkageError | AssertionError | VirtualMachineError e) {
      return failed(watch, row, newest, e);
    }
  }

  private RunResult run(Watch watch, Row row, Transaction tx, long notified) throws Exception {
    long start = tx.timestamp();
    long changed = watch.weak() ? notified : unacknowledged(watch, row, tx);
    if (changed == 0) {
      return new RunResult.Clean(start, false);
    }
    ObserverBody body = watch.body();
    if (body == null) {
      return new RunResult.Elsewhere();
    }
    if (!watch.weak()) {
      tx.set(row, watch.acknowledgment(), start);
    }
    body.observe(new ObserverTransaction(tx), row);
    tx.commit();
    counters.lag(seams.wallMillis() - Timestamp.wallMillis(changed));
    return new RunResult.Clean(start, true);
  }

  /** The newest change if the observer has not acknowledged it; 0 if it has. */
  private static long unacknowledged(Watch watch, Row row, Transaction tx) {
    OptionalLong changed = tx.lastChanged(row, watch.observed());
    if (changed.isEmpty()) {
      return 0;
    }
    long acknowledged = tx.get(row, watch.acknowledgment()).orElse(0L);
    return changed.getAsLong() > acknowledged ? changed.getAsLong() : 0;
  }

  private RunResult failed(Watch watch, Row row, long newest, Throwable error) {
    counters.failures.increment();
    int attempts = failures.failed(row, watch.name(), newest, error, seams.wallMillis());
    long pause = pauses.nanosAfter(attempts);
    failures.tryAgainAt(row, watch.name(), seams.nanoTime() + pause);
    LOG.warn("Observer {} failed on {}, attempt {}.", watch.name(), row, attempts, error);
    return new RunResult.Failed(pause);
  }
}
