package io.braid.serving.writable;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/** Somebody wrote the tuple since it was read. Nothing was written: read it again, then write. */
@API(status = API.Status.EXPERIMENTAL)
public final class ObsoleteVersionException extends BraidException {
  public ObsoleteVersionException(String store) {
    super(
        ErrorCode.OBSOLETE_VERSION,
        "A tuple of store "
            + store
            + " was written by another client since it was read. Read it again, then write.");
  }
}
