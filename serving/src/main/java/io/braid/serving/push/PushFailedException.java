package io.braid.serving.push;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import java.util.List;

/** A version did not go live. */
public final class PushFailedException extends BraidException {
  private final long version;
  private final List<String> unsettled;

  /**
   * @param version 0: none was swapped anywhere
   */
  PushFailedException(String message, long version, List<String> unsettled) {
    super(message);
    this.version = version;
    this.unsettled = List.copyOf(unsettled);
  }

  /** The version that could not be swapped in everywhere; 0 when no node was asked to. */
  public long version() {
    return version;
  }

  /**
   * Returns the nodes of which it is unknown whether the version is live there; empty when the old
   * versions are live everywhere.
   */
  public List<String> unsettled() {
    return unsettled;
  }

  @Override
  public ErrorCode code() {
    return unsettled.isEmpty() ? ErrorCode.NOT_FINISHED : ErrorCode.OUTCOME_UNKNOWN;
  }
}
