package io.braid.groups;

/**
 * How the groups of a process are.
 *
 * @param led how many it leads
 * @param unshipped how many of their commits are not in the store yet
 * @param stuck how many it cannot take up, or cannot bring the commits of to the store; {@link
 *     GroupInfo#trouble} says why
 */
public record GroupStats(int led, long unshipped, int stuck) {
  /** Of two parts of a process. */
  public GroupStats and(GroupStats other) {
    return new GroupStats(led + other.led, unshipped + other.unshipped, stuck + other.stuck);
  }
}
