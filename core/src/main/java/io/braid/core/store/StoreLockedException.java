package io.braid.core.store;

import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/**
 * Another process, or this one, has the store open; the text names it. Nothing was done; try again
 * when it has closed it.
 */
@API(status = API.Status.STABLE)
public class StoreLockedException extends StoreException {
  public StoreLockedException(String message) {
    super(message);
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.LOCKED;
  }
}
