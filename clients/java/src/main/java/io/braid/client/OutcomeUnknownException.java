package io.braid.client;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/**
 * The answer was lost, and the client could not ask again: the write may have happened or not.
 * {@link BraidClient#settle BraidClient.settle} with {@link #request} returns the outcome later; do
 * not just run the write again. If there is no request, repeat a named write of the fast path under
 * its name. After any other call, read the data that it should have written.
 */
@API(status = API.Status.STABLE)
public class OutcomeUnknownException extends BraidException {
  private final String request;

  public OutcomeUnknownException(String request, RuntimeException cause) {
    super(
        ErrorCode.OUTCOME_UNKNOWN,
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
