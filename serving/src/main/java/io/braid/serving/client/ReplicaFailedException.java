package io.braid.serving.client;

/** A node answered that it cannot; another replica may. */
public final class ReplicaFailedException extends RuntimeException {
  private final boolean nothingDone;

  public ReplicaFailedException(String message) {
    this(message, false);
  }

  /**
   * @param nothingDone whether it surely has not done any of what it was asked for
   */
  public ReplicaFailedException(String message, boolean nothingDone) {
    super(message);
    this.nothingDone = nothingDone;
  }

  /** Whether it surely has not done any of what it was asked for. */
  public boolean nothingDone() {
    return nothingDone;
  }
}
