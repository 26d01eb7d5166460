package io.braid.serving.build;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/** A folder has no manifest, or one that cannot be relied on. */
@API(status = API.Status.EXPERIMENTAL)
public final class BadManifestException extends BraidException {
  public BadManifestException(String message) {
    super(ErrorCode.VERSION_REFUSED, message);
  }
}
