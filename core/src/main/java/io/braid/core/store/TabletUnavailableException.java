package io.braid.core.store;

import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The tablet is not served right now, or an obstacle did not go away in time. Reads may be tried
 * again after a pause. The documentation of each call tells whether a change may have been made.
 */
@API(status = API.Status.STABLE)
public class TabletUnavailableException extends StoreException {
  public TabletUnavailableException(String message) {
    super(ErrorCode.UNAVAILABLE, message);
  }

  public TabletUnavailableException(String message, @Nullable Throwable cause) {
    super(ErrorCode.UNAVAILABLE, message, cause);
  }
}
