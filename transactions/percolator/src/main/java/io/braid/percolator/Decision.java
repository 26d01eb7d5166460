package io.braid.percolator;

/** The final outcome of a transaction. */
record Decision(long commit) {
  static final Decision ROLLED_BACK = new Decision(0);

  boolean isCommitted() {
    return commit != 0;
  }

  /** Whether a snapshot sees the transaction's writes. */
  boolean visibleAt(long snapshot) {
    return commit != 0 && commit <= snapshot;
  }
}
