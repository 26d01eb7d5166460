package io.braid.groups;

import io.braid.core.store.Durability;
import java.time.Duration;
import java.util.function.Consumer;
import org.apiguardian.api.API;

/**
 * How groups behave. Begin with {@link #defaults()} and change what you need; a {@code Braid} makes
 * the options from the settings {@code groups.*}.
 *
 * @param durability of records, holds and of a log in the store
 * @param lease the time after which a group is deleted if no client has it open or uses it
 * @param mostMembers of one group
 * @param mostGroups at one process; 0: it leads none, and takes none up
 * @param joinWait how long a creation waits for transactions that are writing a member
 * @param shipEvery how long commits wait before they are shipped, at most
 * @param shipBytes how much is shipped in one transaction
 * @param backlogBytes how much of one group may wait to be shipped; then its commits wait too
 * @param memoryBytes for the values of members that all groups of a process have read and written;
 *     commits that need more are refused
 * @param readAhead how many members are read in one trip when one of them is; 1: no other
 * @param runAttempts how often {@link Group#run Group.run} tries
 * @param leaderLease how long other processes wait before they take the groups of a leader that is
 *     not alive; zero when no other process can lead groups of this store
 * @param lookEvery how often a process looks for groups whose leaders are gone
 * @param sweepEvery how often a process walks through all tables for rows held by groups that are
 *     gone
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record GroupOptions(
    Durability durability,
    Duration lease,
    int mostMembers,
    int mostGroups,
    Duration joinWait,
    Duration shipEvery,
    long shipBytes,
    long backlogBytes,
    long memoryBytes,
    int readAhead,
    int runAttempts,
    Duration leaderLease,
    Duration lookEvery,
    Duration sweepEvery) {

  /**
   * A lease of 10 min, a million members and 100000 groups at most, a quarter of the heap for their
   * values, shipped every 20 ms; for a store that no other process leads groups of.
   */
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
        Runtime.getRuntime().maxMemory() / 4,
        1000,
        1000,
        Duration.ZERO,
        Duration.ofSeconds(1),
        Duration.ofMinutes(5));
  }

  public GroupOptions durability(Durability value) {
    return with(draft -> draft.durability = value);
  }

  public GroupOptions lease(Duration value) {
    return with(draft -> draft.lease = value);
  }

  public GroupOptions limits(int members, int groups) {
    return with(
        draft -> {
          draft.mostMembers = members;
          draft.mostGroups = groups;
        });
  }

  /** How commits reach the store. */
  public GroupOptions shipping(Duration every, long bytes, long backlog) {
    return with(
        draft -> {
          draft.shipEvery = every;
          draft.shipBytes = bytes;
          draft.backlogBytes = backlog;
        });
  }

  /** Sets the memory for values of members, of all groups of a process. */
  public GroupOptions memory(long bytes) {
    return with(draft -> draft.memoryBytes = bytes);
  }

  /** How many members are read in one trip, at most. */
  public GroupOptions readAhead(int rows) {
    return with(draft -> draft.readAhead = rows);
  }

  public GroupOptions joinWait(Duration value) {
    return with(draft -> draft.joinWait = value);
  }

  /** Several processes lead groups of the same store. */
  public GroupOptions leaders(Duration newLeaderLease, Duration look, Duration sweep) {
    return with(
        draft -> {
          draft.leaderLease = newLeaderLease;
          draft.lookEvery = look;
          draft.sweepEvery = sweep;
        });
  }

  private GroupOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.finish();
  }

  /** A mutable copy, from which changed options are made. */
  private static final class Draft {
    private Durability durability;
    private Duration lease;
    private int mostMembers;
    private int mostGroups;
    private Duration joinWait;
    private Duration shipEvery;
    private long shipBytes;
    private long backlogBytes;
    private long memoryBytes;
    private int readAhead;
    private int runAttempts;
    private Duration leaderLease;
    private Duration lookEvery;
    private Duration sweepEvery;

    Draft(GroupOptions from) {
      durability = from.durability;
      lease = from.lease;
      mostMembers = from.mostMembers;
      mostGroups = from.mostGroups;
      joinWait = from.joinWait;
      shipEvery = from.shipEvery;
      shipBytes = from.shipBytes;
      backlogBytes = from.backlogBytes;
      memoryBytes = from.memoryBytes;
      readAhead = from.readAhead;
      runAttempts = from.runAttempts;
      leaderLease = from.leaderLease;
      lookEvery = from.lookEvery;
      sweepEvery = from.sweepEvery;
    }

    GroupOptions finish() {
      return new GroupOptions(
          durability,
          lease,
          mostMembers,
          mostGroups,
          joinWait,
          shipEvery,
          shipBytes,
          backlogBytes,
          memoryBytes,
          readAhead,
          runAttempts,
          leaderLease,
          lookEvery,
          sweepEvery);
    }
  }
}
