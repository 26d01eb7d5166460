package io.braid.serving.writable;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/**
 * This replica lost its tuples, and is being refilled. It takes the writes that it gets, but does
 * not answer for anything yet.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class ReplicaRefillingException extends BraidException {
  public ReplicaRefillingException(int node, String store) {
    super(
        "Node "
            + node
            + " lost what it had of store "
            + store
            + " and is being refilled from the other replicas, or was so minutes ago.");
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.REFILLING;
  }
}
