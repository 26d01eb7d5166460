package io.braid.serving.build;

import org.apiguardian.api.API;

/** A key came more than once, and the build was to fail then. Nothing was published. */
@API(status = API.Status.EXPERIMENTAL)
public final class DuplicateKeyException extends RuntimeException {
  DuplicateKeyException(String message) {
    super(message);
  }
}
