package io.braid.serving.writable;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/**
 * A key has several values, of writers that could not know of each other. Nothing was added to it,
 * since that would drop all of them but one: write the value that is to stand first.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class SiblingsException extends BraidException {
  public SiblingsException(String store, int count) {
    super(
        "A tuple of store "
            + store
            + " has "
            + count
            + " values, of writers that could not know of each other. Read them all, write what is to"
            + " stand in their place, then add to it.");
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.SIBLINGS;
  }
}
