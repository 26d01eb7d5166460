package io.braid.client;

/**
 * The answer was lost, and nobody could be asked any more: what was to be written may have been, or
 * not. {@link BraidClient#settle BraidClient.settle} with {@link #request} tells later; do not just
 * run it again. Without one, a write of the fast path that was given a name is repeated under it;
 * of anything else read what it should have written.
 */
public class OutcomeUnknownException extends RuntimeException {
  private final String request;

  public OutcomeUnknownException(String request, RuntimeException cause) {
    super(
        (request.isEmpty()
                ? "Whether it was done is unknown: repeat a write of the fast path under its name, if"
                    + " it was given one; of all else read what it should have written. "
                : "Whether request " + request + " was done is unknown: settle it. ")
            + cause.getMessage(),
        cause);
    this.request = request;
  }

  /** The name of the request; empty for writes of the fast path and scripts of a key group. */
  public String request() {
    return request;
  }
}
