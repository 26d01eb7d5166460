package io.braid.cli.remote;

/** A request that was refused, or whose answer did not come. */
final class HttpFailure extends RuntimeException {
  private final int status;
  private final String error;
  private final boolean lost;

  /**
   * @param status 0: there was no answer
   * @param error the word of the refusal
   * @param lost whether this attempt, or one before, may have been carried out unseen
   */
  HttpFailure(int status, String error, String message, boolean lost) {
    super(message);
    this.status = status;
    this.error = error;
    this.lost = lost;
  }

  int status() {
    return status;
  }

  String error() {
    return error;
  }

  boolean lost() {
    return lost;
  }

  /** Returns whether the same request may succeed later. */
  boolean passes() {
    return status == 0 || status == 429 || status == 503 || error.equals("busy");
  }
}
