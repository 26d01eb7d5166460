package io.braid.percolator.resolution;

/** The final outcome of a transaction. */
public record Decision(long commit) {
  public static final Decision ROLLED_BACK = new Decision(0);

  public boolean isCommitted() {
    return commit != 0;
  }

  /** Whether a snapshot sees the transaction's writes. */
  public boolean visibleAt(long snapshot) {
    return commit != 0 && commit <= snapshot;
  }
}
