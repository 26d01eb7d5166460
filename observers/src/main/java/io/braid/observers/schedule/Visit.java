package io.braid.observers.schedule;

/** Says whether and when a row is visited again. */
public sealed interface Visit {
  /** Nothing more to do here now. */
  record Done() implements Visit {}

  /** There is more to do at once. */
  record More() implements Visit {}

  /** Something was in the way: again after a pause that grows with each time. */
  record Later() implements Visit {}

  /**
   * An observer threw, or ran too often: again after this pause.
   *
   * @param hintable or earlier if the row changes
   */
  record After(long pauseNanos, boolean hintable) implements Visit {}

  /** The one of two that is to happen earlier. */
  static Visit sooner(Visit one, Visit other) {
    if (rank(other) < rank(one)) {
      return other;
    }
    if (one instanceof After a && other instanceof After b) {
      return a.pauseNanos <= b.pauseNanos ? a : b;
    }
    return one;
  }

  private static int rank(Visit visit) {
    if (visit instanceof More) {
      return 0;
    } else if (visit instanceof Later) {
      return 1;
    }
    return visit instanceof After ? 2 : 3;
  }
}
