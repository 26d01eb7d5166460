package io.braid.core.transaction;

import io.braid.core.failure.BraidException;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A transaction could not do what a caller asked. The documentation of each subclass gives the
 * remedy. Nothing was written, except with {@link CommitOutcomeUnknownException}: then the writes
 * may have happened.
 */
@API(status = API.Status.STABLE)
public abstract class TransactionException extends BraidException {
  protected TransactionException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
