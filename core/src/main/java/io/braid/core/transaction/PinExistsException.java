package io.braid.core.transaction;

import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/** A pin of this name exists at another timestamp. Unpin it first, or choose another name. */
@API(status = API.Status.STABLE)
public final class PinExistsException extends TransactionException {
  public PinExistsException(String name, long pinned) {
    super("Pin '" + name + "' is at " + pinned + " already: unpin it first.", null);
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.PIN_EXISTS;
  }
}
