package io.braid.client;

/**
 * The server cannot do it now, or cannot be reached; it was tried several times. Try again later.
 * What was to be changed was not, unless this says that the answer was {@link #lost}.
 */
public class UnavailableException extends RefusedException {
  private final boolean lost;

  public UnavailableException(String reason, String message, boolean lost) {
    super(reason, message);
    this.lost = lost;
  }

  /** Whether the call may have been carried out without its answer having come. */
  public boolean lost() {
    return lost;
  }
}
