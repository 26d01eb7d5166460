package io.braid.serving.client;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/** A node answered that it cannot; another replica may. */
@API(status = API.Status.EXPERIMENTAL)
public final class ReplicaFailedException extends BraidException {
  private final boolean nothingDone;

  public ReplicaFailedException(String message) {
    this(message, false);
  }

  /**
   * @param nothingDone whether it surely has not done any of what it was asked for
   */
  public ReplicaFailedException(String message, boolean nothingDone) {
    super(ErrorCode.UNAVAILABLE, message);
    this.nothingDone = nothingDone;
  }

  /** Whether it surely has not done any of what it was asked for. */
  public boolean nothingDone() {
    return nothingDone;
  }
}
