package io.braid.serving.client;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/** A node cannot read in the version it was asked for: it went on, or was taken back. */
@API(status = API.Status.EXPERIMENTAL)
public final class VersionGoneException extends BraidException {
  public VersionGoneException(String message) {
    super(message);
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.VERSION_GONE;
  }
}
