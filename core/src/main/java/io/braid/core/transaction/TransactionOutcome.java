package io.braid.core.transaction;

/** What became of a transaction. */
public sealed interface TransactionOutcome {
  record Committed(long commitTimestamp) implements TransactionOutcome {}

  record RolledBack() implements TransactionOutcome {}

  /** Its owner may still commit it. */
  record Undecided() implements TransactionOutcome {}

  /** Nothing is known of it any more: too old, or it never reached the store. */
  record Unknown() implements TransactionOutcome {}
}
