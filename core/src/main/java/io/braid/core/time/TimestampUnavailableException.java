package io.braid.core.time;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The oracle cannot give out a timestamp safely right now: its bound cannot be raised, or no
 * process is the leader. Nothing was begun or committed; try again after a pause.
 */
@API(status = API.Status.STABLE)
public class TimestampUnavailableException extends BraidException {
  public TimestampUnavailableException(String message) {
    super(message);
  }

  public TimestampUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.UNAVAILABLE;
  }
}
