package io.braid.serving.imports;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import java.util.List;

/** An import did not come to its end. */
public final class ImportFailedException extends BraidException {
  private final List<String> unsettled;

  ImportFailedException(String message, List<String> unsettled) {
    super(message);
    this.unsettled = List.copyOf(unsettled);
  }

  /** Nodes that may go on refusing writes. */
  public List<String> unsettled() {
    return unsettled;
  }

  @Override
  public ErrorCode code() {
    return unsettled.isEmpty() ? ErrorCode.NOT_FINISHED : ErrorCode.OUTCOME_UNKNOWN;
  }
}
