package io.braid.groups;

import io.braid.core.transaction.TransactionException;
import org.jspecify.annotations.Nullable;

/**
 * A group could not do what it was asked. The text says what to do. Nothing was written, except
 * perhaps by a {@link GroupOutcomeUnknownException}.
 */
public class GroupException extends TransactionException {
  public GroupException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
