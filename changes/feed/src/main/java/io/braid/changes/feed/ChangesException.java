package io.braid.changes.feed;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/** A feed of changes cannot be given as asked; the text says what to do. */
@API(status = API.Status.EXPERIMENTAL)
public final class ChangesException extends BraidException {
  public ChangesException(String message) {
    super(ErrorCode.CHANGES, message);
  }

  public ChangesException(String message, Throwable cause) {
    super(ErrorCode.CHANGES, message, cause);
  }
}
