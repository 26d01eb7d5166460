package io.braid.batch.rows;

/** What happens to a cell that others wrote after the load began. */
public enum Conflicts {
  /** It stays: the newer write wins. */
  NEWER,
  /** The record is refused, and listed. */
  FAIL,
  /** The load writes over it. */
  LOAD
}
