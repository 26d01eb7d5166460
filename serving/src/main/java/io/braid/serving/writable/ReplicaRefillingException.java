package io.braid.serving.writable;

/**
 * This replica lost its tuples, and is being refilled. It takes the writes that it gets, but does
 * not answer for anything yet.
 */
public final class ReplicaRefillingException extends RuntimeException {
  public ReplicaRefillingException(int node, String store) {
    super(
        "Node "
            + node
            + " lost what it had of store "
            + store
            + " and is being refilled from the other replicas, or was so minutes ago.");
  }
}
