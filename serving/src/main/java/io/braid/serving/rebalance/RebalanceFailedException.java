package io.braid.serving.rebalance;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import java.util.List;

/** A batch of partitions was not moved. */
public final class RebalanceFailedException extends BraidException {
  private final List<String> unsettled;

  RebalanceFailedException(String message, List<String> unsettled) {
    super(message);
    this.unsettled = List.copyOf(unsettled);
  }

  /**
   * Returns the nodes that could not be informed of the end; they go on refusing fetches and swaps.
   */
  public List<String> unsettled() {
    return unsettled;
  }

  @Override
  public ErrorCode code() {
    return unsettled.isEmpty() ? ErrorCode.NOT_FINISHED : ErrorCode.OUTCOME_UNKNOWN;
  }
}
