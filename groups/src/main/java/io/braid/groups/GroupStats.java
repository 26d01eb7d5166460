package io.braid.groups;

import org.apiguardian.api.API;

/**
 * The state of the groups of a process.
 *
 * @param led how many it leads
 * @param unshipped how many of their commits are not in the store yet
 * @param stuck how many it cannot take up, or whose commits it cannot bring to the store; {@link
 *     GroupInfo#trouble} gives the reason
 */
@API(status = API.Status.STABLE)
public record GroupStats(int led, long unshipped, int stuck) {
  /** Of two parts of a process. */
  public GroupStats and(GroupStats other) {
    return new GroupStats(led + other.led, unshipped + other.unshipped, stuck + other.stuck);
  }
}
