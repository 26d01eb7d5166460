package io.braid.serving.client;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/**
 * A node does not hold a key that it was asked for: one of the two has an old topology.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class WrongNodeException extends BraidException {
  private final long topology;

  /**
   * @param topology the version that the node knows
   */
  public WrongNodeException(String message, long topology) {
    super(ErrorCode.WRONG_NODE, message);
    this.topology = topology;
  }

  public long topology() {
    return topology;
  }
}
