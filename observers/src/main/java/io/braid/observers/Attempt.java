package io.braid.observers;

import io.braid.core.data.Row;
import io.braid.core.transaction.Transaction;

/** One observer on one row, as far as it goes before its transaction is committed. */
sealed interface Attempt {
  /** Nothing is to be committed. */
  record Ended(RunResult result) implements Attempt {}

  /**
   * The observer has run, and its transaction is to be committed.
   *
   * @param changed the newest change that it has seen
   * @param upTo what it failed at if it does: all changes up to here
   */
  record Prepared(
      Watch watch,
      Row row,
      ObserverRun.NotifiedChanges notified,
      Transaction tx,
      long changed,
      long upTo)
      implements Attempt {}
}
