package io.braid.client;

import java.time.Duration;

/**
 * The server cannot do it now, or cannot be reached; it was tried several times. Try again later.
 * What was to be changed was not, unless this says that the answer was {@link #lost}.
 */
public class UnavailableException extends RefusedException {
  private final boolean lost;
  private final Duration retryAfter;

  public UnavailableException(String reason, String message, boolean lost) {
    this(reason, message, lost, Duration.ZERO);
  }

  public UnavailableException(String reason, String message, boolean lost, Duration retryAfter) {
    super(reason, message);
    this.lost = lost;
    this.retryAfter = retryAfter;
  }

  /** After how long the server wants to be asked again; zero: it says nothing of that. */
  public Duration retryAfter() {
    return retryAfter;
  }

  /** Whether the call may have been carried out without its answer having come. */
  public boolean lost() {
    return lost;
  }
}
