package io.braid.serving.writable.imports;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;

/** A node is not idle yet: ask again in a moment. */
public final class ImportBusyException extends BraidException {
  public ImportBusyException(String message) {
    super(message);
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.IMPORT_BUSY;
  }
}
