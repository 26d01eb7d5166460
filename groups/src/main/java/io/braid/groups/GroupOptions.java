package io.braid.groups;

import io.braid.core.store.Durability;
import java.time.Duration;

/**
 * How groups behave.
 *
 * @param durability of records, holds and of a log in the store
 * @param lease a group that nobody has open and nobody has used for so long is deleted
 * @param mostMembers of one group
 * @param mostGroups at one process
 * @param joinWait how long a creation waits for transactions that are writing a member
 * @param shipEvery how long commits wait before they are shipped, at most
 * @param shipBytes how much is shipped in one transaction
 * @param backlogBytes how much of one group may wait to be shipped; then its commits wait too
 * @param runAttempts how often {@link Group#run} tries
 * @param leaderLease how long nobody takes the groups of a leader that is not alive, if others
 *     might; zero when no other process can lead groups of this store
 * @param lookEvery how often it is looked for groups whose leaders are gone
 * @param sweepEvery how often all tables are walked through for rows held by groups that are gone
 */
public record GroupOptions(
    Durability durability,
    Duration lease,
    int mostMembers,
    int mostGroups,
    Duration joinWait,
    Duration shipEvery,
    long shipBytes,
    long backlogBytes,
    int runAttempts,
    Duration leaderLease,
    Duration lookEvery,
    Duration sweepEvery) {

  public static GroupOptions defaults() {
    return new GroupOptions(
        Durability.BUFFERED,
        Duration.ofMinutes(10),
        1_000_000,
        100_000,
        Duration.ofSeconds(5),
        Duration.ofMillis(20),
        4L << 20,
        64L << 20,
        1000,
        Duration.ZERO,
        Duration.ofSeconds(1),
        Duration.ofMinutes(5));
  }

  public GroupOptions durability(Durability value) {
    return new GroupOptions(
        value,
        lease,
        mostMembers,
        mostGroups,
        joinWait,
        shipEvery,
        shipBytes,
        backlogBytes,
        runAttempts,
        leaderLease,
        lookEvery,
        sweepEvery);
  }

  public GroupOptions lease(Duration value) {
    return new GroupOptions(
        durability,
        value,
        mostMembers,
        mostGroups,
        joinWait,
        shipEvery,
        shipBytes,
        backlogBytes,
        runAttempts,
        leaderLease,
        lookEvery,
        sweepEvery);
  }

  public GroupOptions limits(int members, int groups) {
    return new GroupOptions(
        durability,
        lease,
        members,
        groups,
        joinWait,
        shipEvery,
        shipBytes,
        backlogBytes,
        runAttempts,
        leaderLease,
        lookEvery,
        sweepEvery);
  }

  /** How commits reach the store. */
  public GroupOptions shipping(Duration every, long bytes, long backlog) {
    return new GroupOptions(
        durability,
        lease,
        mostMembers,
        mostGroups,
        joinWait,
        every,
        bytes,
        backlog,
        runAttempts,
        leaderLease,
        lookEvery,
        sweepEvery);
  }

  public GroupOptions joinWait(Duration value) {
    return new GroupOptions(
        durability,
        lease,
        mostMembers,
        mostGroups,
        value,
        shipEvery,
        shipBytes,
        backlogBytes,
        runAttempts,
        leaderLease,
        lookEvery,
        sweepEvery);
  }

  /** Several processes lead groups of the same store. */
  public GroupOptions leaders(Duration newLeaderLease, Duration look, Duration sweep) {
    return new GroupOptions(
        durability,
        lease,
        mostMembers,
        mostGroups,
        joinWait,
        shipEvery,
        shipBytes,
        backlogBytes,
        runAttempts,
        newLeaderLease,
        look,
        sweep);
  }
}
