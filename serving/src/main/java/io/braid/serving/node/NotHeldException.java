package io.braid.serving.node;

/** The key belongs to a partition of which this node has no replica; another node has it. */
public final class NotHeldException extends RuntimeException {
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
}
