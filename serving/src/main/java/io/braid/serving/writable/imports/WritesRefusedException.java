package io.braid.serving.writable.imports;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;

/** A store takes no writes while an import runs; nothing was written. */
public final class WritesRefusedException extends BraidException {
  public WritesRefusedException(String message) {
    super(message);
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.WRITES_REFUSED;
  }
}
