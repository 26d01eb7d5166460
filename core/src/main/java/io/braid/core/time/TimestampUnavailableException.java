package io.braid.core.time;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The oracle cannot give out a timestamp safely right now: its bound cannot be raised, or no
 * process is the leader. Nothing was begun or committed; try again after a pause. If it {@linkplain
 * #isLasting() is lasting}, another try does not help.
 */
@API(status = API.Status.STABLE)
public class TimestampUnavailableException extends BraidException {
  private final boolean lasting;

  public TimestampUnavailableException(String message) {
    this(message, null);
  }

  public TimestampUnavailableException(String message, @Nullable Throwable cause) {
    this(message, cause, false);
  }

  private TimestampUnavailableException(
      String message, @Nullable Throwable cause, boolean lasting) {
    super(ErrorCode.UNAVAILABLE, message, cause);
    this.lasting = lasting;
  }

  /** This process gets no timestamps any more: the text says what to do first. */
  public static TimestampUnavailableException lasting(String message, @Nullable Throwable cause) {
    return new TimestampUnavailableException(message, cause, true);
  }

  /** Whether another try does not help. */
  public boolean isLasting() {
    return lasting;
  }
}
