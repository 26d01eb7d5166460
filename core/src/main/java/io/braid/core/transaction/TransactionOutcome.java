package io.braid.core.transaction;

import org.apiguardian.api.API;

/** The outcome of a transaction; see {@link Transactions#outcome Transactions.outcome}. */
@API(status = API.Status.STABLE)
public sealed interface TransactionOutcome {
  /** It committed, at this timestamp. */
  record Committed(long commitTimestamp) implements TransactionOutcome {}

  /** It did not commit and never will: it is safe to run it again. */
  record RolledBack() implements TransactionOutcome {}

  /** Its owner is alive and may still commit it: ask again later. */
  record Undecided() implements TransactionOutcome {}

  /**
   * The store can no longer tell whether the transaction committed. It began before the low
   * watermark, so that the evidence may have been collected, or before the database was restored.
   * Or it only notified and the notifications are gone, perhaps because observers have dealt with
   * them. Check the data that the transaction should have written.
   */
  record Unknown() implements TransactionOutcome {}
}
