package io.braid.serving.writable;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/**
 * Fewer replicas than required said that they have stored a put. Some may have: a later read tells,
 * and writing the same again does no harm.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class PutOutcomeUnknownException extends BraidException {
  PutOutcomeUnknownException(String store, int stored, int required, String problems) {
    super(
        ErrorCode.OUTCOME_UNKNOWN,
        "Of the replicas of a tuple of store "
            + store
            + " "
            + stored
            + " stored it where "
            + required
            + " are required; others may have. Read it to know. "
            + problems);
  }
}
