package io.braid.core.transaction;

/** What became of a transaction; see {@link Transactions#outcome Transactions.outcome}. */
public sealed interface TransactionOutcome {
  /** It committed, at this timestamp. */
  record Committed(long commitTimestamp) implements TransactionOutcome {}

  /** It did not commit and never will: it is safe to run it again. */
  record RolledBack() implements TransactionOutcome {}

  /** Its owner is alive and may still commit it: ask again later. */
  record Undecided() implements TransactionOutcome {}

  /**
   * Nothing tells any more whether it committed: it began before the low watermark, so that what
   * would tell may have been collected, or before the database was restored, or it only notified
   * and the notifications are not there, perhaps because observers have dealt with them. Look at
   * what it should have written.
   */
  record Unknown() implements TransactionOutcome {}
}
