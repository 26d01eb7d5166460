package io.braid.serving.writable;

/**
 * This replica lost what it had, and is being refilled: it takes what it is told, but does not
 * answer for anything yet.
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
