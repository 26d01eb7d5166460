package io.braid.observers.schedule;

/**
 * How many rows a worker visits together. It doubles with every full batch until one has gone
 * badly, and grows by one with each that went well from then on; it halves when observers of a
 * batch wrote the same cells, or took long: those are better run one after another, as if nothing
 * were shared. For one task.
 */
public final class BatchSize {
  private static final int MOST = 32;
  private static final int FIRST = 8;

  private int size = FIRST;
  private boolean careful;

  public int get() {
    return size;
  }

  public void wentWell() {
    size = Math.min(MOST, careful ? size + 1 : 2 * size);
  }

  public void wentBadly() {
    careful = true;
    size = Math.max(1, size / 2);
  }
}
