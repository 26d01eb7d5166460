package io.braid.core.transaction;

import org.jspecify.annotations.Nullable;

/**
 * A transaction could not do what it was asked. The subclasses say what to do about it; nothing was
 * written, except by {@link CommitOutcomeUnknownException}, which may have been.
 */
public abstract class TransactionException extends RuntimeException {
  protected TransactionException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
