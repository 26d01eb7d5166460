package io.braid.serving.client;

/** A node does not hold a key that it was asked for: one of the two has an old topology. */
public final class WrongNodeException extends RuntimeException {
  private final long topology;

  /**
   * @param topology the version that the node knows
   */
  public WrongNodeException(String message, long topology) {
    super(message);
    this.topology = topology;
  }

  public long topology() {
    return topology;
  }
}
