package io.braid.serving.client;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/** The cluster has no such store, or no version of it is live. */
@API(status = API.Status.EXPERIMENTAL)
public final class NoSuchStoreException extends BraidException {
  NoSuchStoreException(String store) {
    super("The cluster serves no store '" + store + "'. Push a version of it, or create it.");
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.NO_SUCH_STORE;
  }
}
