package io.braid.client;

/**
 * The answer was lost, and nobody could be asked any more: what was to be written may have been, or
 * not. {@link BraidClient#settle} with {@link #request} tells later; do not just run it again.
 */
public class OutcomeUnknownException extends RuntimeException {
  private final String request;

  public OutcomeUnknownException(String request, RuntimeException cause) {
    super(
        "Whether request " + request + " was done is unknown: settle it. " + cause.getMessage(),
        cause);
    this.request = request;
  }

  /** The name of the request; empty for a write of the fast path without a name. */
  public String request() {
    return request;
  }
}
