package io.braid.groups.protocol;

/** What becomes of a creation when some keys are not to be had (section 4). */
public enum Mode {
  /** All keys join, or none. */
  ATOMIC,
  /** The group is formed of those that join; the leader key must. */
  BEST_EFFORT
}
