package io.braid.serving.client;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/** No node that holds a key could answer. Try again later. */
@API(status = API.Status.EXPERIMENTAL)
public final class StoreUnavailableException extends BraidException {
  public StoreUnavailableException(String message) {
    super(ErrorCode.UNAVAILABLE, message);
  }
}
