package io.braid.testkit.checker;

/** Why one event must come before another; the weaker kinds first. */
enum EdgeKind {
  /** A transaction begins before it commits. */
  WITHIN,
  /** The second overwrote what the first wrote. */
  WW,
  /** The second read what the first wrote. */
  WR,
  /** The second overwrote what the first read. */
  RW,
  /** The first had ended when the second began. */
  CLOCK,
  /** From one end to the next on the clock. */
  LATER;

  int bit() {
    return 1 << ordinal();
  }

  /** This kind and all weaker ones. */
  int upTo() {
    return (bit() << 1) - 1;
  }

  static EdgeKind of(int ordinal) {
    return VALUES[ordinal];
  }

  private static final EdgeKind[] VALUES = values();
}
