package io.braid.serving.net;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;

/** This node missed a push of the store, and refuses reads until it has caught up. */
public final class StoreBehindException extends BraidException {
  StoreBehindException(String store, long version) {
    super("This node has missed version " + version + " of " + store + " and is fetching it.");
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.STORE_BEHIND;
  }
}
