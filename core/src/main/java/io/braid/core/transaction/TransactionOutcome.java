package io.braid.core.transaction;

/** What became of a transaction. */
public sealed interface TransactionOutcome {
  /** It committed, at this timestamp. */
  record Committed(long commitTimestamp) implements TransactionOutcome {}

  /** It did not commit and never will; run it again if you like. */
  record RolledBack() implements TransactionOutcome {}

  /** Its owner is alive and may still commit it: ask again later. */
  record Undecided() implements TransactionOutcome {}

  /** Nothing is known of it any more: too old, or it never reached the store. */
  record Unknown() implements TransactionOutcome {}
}
