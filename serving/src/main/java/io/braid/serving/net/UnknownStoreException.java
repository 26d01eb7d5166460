package io.braid.serving.net;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;

/** There is no store with this name. */
public final class UnknownStoreException extends BraidException {
  UnknownStoreException(String name) {
    super("There is no store '" + name + "' here.");
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.NO_SUCH_STORE;
  }
}
