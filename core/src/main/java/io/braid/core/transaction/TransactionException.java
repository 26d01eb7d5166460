package io.braid.core.transaction;

import org.jspecify.annotations.Nullable;

/**
 * A transaction could not do what a caller asked. The documentation of each subclass gives the
 * remedy. Nothing was written, except with {@link CommitOutcomeUnknownException}: then the writes
 * may have happened.
 */
public abstract class TransactionException extends RuntimeException {
  protected TransactionException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
