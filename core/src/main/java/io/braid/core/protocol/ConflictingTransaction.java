package io.braid.core.protocol;

/** A transaction that knows whether others were first. */
public interface ConflictingTransaction {
  /** Whether it was rolled back by a conflict: run again, it may commit. */
  boolean hasConflicted();
}
