package io.braid.serving.node;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/**
 * The key belongs to a partition of which this node has no replica; another node has it.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class NotHeldException extends BraidException {
  private final int partition;

  NotHeldException(String store, int node, int partition) {
    super(
        "Node "
            + node
            + " does not hold partition "
            + partition
            + " of store "
            + store
            + ". Ask one that does; the cluster's ring tells which.");
    this.partition = partition;
  }

  public int partition() {
    return partition;
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.WRONG_NODE;
  }
}
