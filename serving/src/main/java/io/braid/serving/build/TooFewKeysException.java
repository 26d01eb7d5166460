package io.braid.serving.build;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/** A version has fewer keys than it must have. Nothing was published. */
@API(status = API.Status.EXPERIMENTAL)
public final class TooFewKeysException extends BraidException {
  public TooFewKeysException(long keys, long minimum) {
    super(
        "There are "
            + keys
            + " keys, and the version must have at least "
            + minimum
            + ". Look whether its source is whole, or ask for a lower minimum.");
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.TOO_FEW_KEYS;
  }
}
