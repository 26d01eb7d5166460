package io.braid.observers;

/**
 * How many rows a worker visits together. It grows by one with every batch that went well, and
 * halves when observers of a batch wrote the same cells, or took long: those are better run one
 * after another, as if nothing were shared. For one task.
 */
final class BatchSize {
  private static final int MOST = 32;
  private static final int FIRST = 8;

  private int size = FIRST;

  int get() {
    return size;
  }

  void wentWell() {
    size = Math.min(MOST, size + 1);
  }

  void wentBadly() {
    size = Math.max(1, size / 2);
  }
}
