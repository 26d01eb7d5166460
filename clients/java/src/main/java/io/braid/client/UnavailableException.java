package io.braid.client;

import io.braid.core.failure.ErrorCode;
import java.time.Duration;
import org.apiguardian.api.API;

/**
 * The server cannot do it now, or cannot be reached; the client tried several times. Try again
 * later. Nothing was changed, unless this says that the answer was {@link #lost}.
 */
@API(status = API.Status.STABLE)
public class UnavailableException extends RefusedException {
  private final boolean lost;
  private final Duration retryAfter;

  public UnavailableException(String reason, String message, boolean lost) {
    this(reason, message, lost, Duration.ZERO);
  }

  public UnavailableException(String reason, String message, boolean lost, Duration retryAfter) {
    super(lost ? ErrorCode.OUTCOME_UNKNOWN : ErrorCode.UNAVAILABLE, reason, message);
    this.lost = lost;
    this.retryAfter = retryAfter;
  }

  /**
   * Returns the time after which the server wants to be asked again; zero if the server gave none.
   */
  public Duration retryAfter() {
    return retryAfter;
  }

  /** Whether the call may have been carried out without its answer having come. */
  public boolean lost() {
    return lost;
  }
}
