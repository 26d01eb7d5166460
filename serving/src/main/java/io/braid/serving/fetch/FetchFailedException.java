package io.braid.serving.fetch;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;

/** A version could not be fetched; what was live still is. */
public final class FetchFailedException extends BraidException {
  public FetchFailedException(String message, Throwable cause) {
    super(message, cause);
  }

  public FetchFailedException(String message) {
    super(message);
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.FETCH_FAILED;
  }
}
