package io.braid.serving.writable.imports;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;

/** A step of an import that a node does not take; it has changed nothing. */
public final class ImportRefusedException extends BraidException {
  public ImportRefusedException(String message) {
    super(message);
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.IMPORT_REFUSED;
  }
}
