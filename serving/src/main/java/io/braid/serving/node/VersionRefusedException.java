package io.braid.serving.node;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/**
 * A version cannot be fetched, swapped in or rolled back to; nothing was changed.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class VersionRefusedException extends BraidException {
  public VersionRefusedException(String message) {
    super(message);
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.VERSION_REFUSED;
  }
}
