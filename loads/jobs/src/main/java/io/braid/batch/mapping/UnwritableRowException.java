package io.braid.batch.mapping;

import org.apiguardian.api.API;

/** A row, or a value of it, would not come back from a file of the chosen format and mapping. */
@API(status = API.Status.EXPERIMENTAL)
public final class UnwritableRowException extends IllegalArgumentException {
  UnwritableRowException(String message) {
    super(message);
  }

  UnwritableRowException(String message, Throwable cause) {
    super(message, cause);
  }
}
