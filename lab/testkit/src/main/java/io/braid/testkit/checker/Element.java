package io.braid.testkit.checker;

/** One value that was appended to a list. */
final class Element {
  final ListKey key;
  final long value;
  final SeenTransaction writer;

  /** How many values its transaction appended to the key before. */
  final int ordinal;

  /** Whether its transaction appended no more to the key. */
  boolean last = true;

  /** The position in the list; -1 when no read showed it. */
  int position = -1;

  /** Whether it was acknowledged, but no later read shows it. */
  boolean lost;

  Element(ListKey key, long value, SeenTransaction writer, int ordinal) {
    this.key = key;
    this.value = value;
    this.writer = writer;
    this.ordinal = ordinal;
  }
}
