package io.braid.groups;

import io.braid.core.failure.ErrorCode;
import io.braid.core.transaction.TransactionException;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A group could not do what it was asked. The text says what to do. Nothing was written, except
 * perhaps by a {@link GroupOutcomeUnknownException}.
 */
@API(status = API.Status.STABLE)
public class GroupException extends TransactionException {
  public GroupException(String message, @Nullable Throwable cause) {
    super(ErrorCode.GROUP, message, cause);
  }

  public GroupException(ErrorCode code, String message, @Nullable Throwable cause) {
    super(code, message, cause);
  }
}
