package io.braid.serving.build;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/** A key came more than once, and the build was to fail then. Nothing was published. */
@API(status = API.Status.EXPERIMENTAL)
public final class DuplicateKeyException extends BraidException {
  DuplicateKeyException(String message) {
    super(message);
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.DUPLICATE_KEY;
  }
}
