package io.braid.groups.leader;

import io.braid.core.data.Row;
import io.braid.core.protocol.Backoff;
import io.braid.core.runtime.Seams;
import io.braid.groups.GroupException;
import io.braid.groups.log.GroupLog;
import io.braid.groups.rows.GroupState;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory of the {@link LedGroup groups} that this process leads, by their names and by their
 * members.
 */
final class LedGroups {
  private static final Logger LOG = LoggerFactory.getLogger(LedGroups.class);
  private static final Duration TURN = Duration.ofMillis(1);
  private static final Duration LONGEST_TURN = Duration.ofMillis(20);

  /** Longer than any shipping or deletion of a group takes. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Followers followers;
  private final GroupLog log;
  private final FailedGroups failedGroups;
  private final Seams seams;
  private final GroupMemory memory;
  private final Map<String, LedGroup> byName = new ConcurrentHashMap<>();
  private final Map<Row, LedGroup> byMember = new ConcurrentHashMap<>();
  private final Set<String> forming = ConcurrentHashMap.newKeySet();

  LedGroups(
      Followers followers,
      GroupLog log,
      Seams seams,
      FailedGroups failedGroups,
      GroupMemory memory) {
    this.failedGroups = failedGroups;
    this.memory = memory;
    this.followers = followers;
    this.log = log;
    this.seams = seams;
  }

  /** Keeps a name for a group that is to be formed; false when this process has it already. */
  boolean reserve(String name) {
    return forming.add(name);
  }

  void unreserve(String name) {
    forming.remove(name);
  }

  /** From now on this process leads the group. */
  LedGroup enter(LedGroup group) {
    group.usedAt(seams.nanoTime());
    group.countIn(memory);
    byName.put(group.record().name(), group);
    group.members().forEach(row -> byMember.put(row, group));
    return group;
  }

  /** From now on it does not. Nothing is committed any more. */
  void leave(LedGroup group) {
    // Before it can be led here again.
    log.left(group.record().number());
    group.countIn(null);
    byName.remove(group.record().name(), group);
    followers.forget(group.record());
    failedGroups.ended(group.record());
    group.members().forEach(row -> byMember.remove(row, group));
  }

  /** As {@link #leave}, for a group that is still used: nothing is read or committed any more. */
  void drop(LedGroup group) {
    group.end(group.record().with(GroupState.DELETING, group.members().size()));
    leave(group);
  }

  /** Another process leads the group by now. */
  void lost(LedGroup group, RuntimeException e) {
    LOG.warn("Group {} is led by another process by now: {}", group.record().name(), e.toString());
    drop(group);
  }

  /** Drops a group whose leader is unknown. */
  void doubted(LedGroup group, RuntimeException e) {
    LOG.warn("Who leads group {} is not known: {}", group.record().name(), e.toString());
    drop(group);
  }

  Collection<LedGroup> all() {
    return byName.values();
  }

  int count() {
    return byName.size();
  }

  @Nullable LedGroup named(String name) {
    return byName.get(name);
  }

  /** The group that a row is a member of. */
  @Nullable LedGroup of(Row row) {
    return byMember.get(row);
  }

  /** Whether this process leads a group of that name, or is about to. */
  boolean leads(String name) {
    return byName.containsKey(name) || forming.contains(name);
  }

  /** Whether this process leads just this one, and not one that came after it. */
  boolean contains(LedGroup group) {
    return byName.get(group.record().name()) == group;
  }

  /**
   * Waits until no other thread ships or deletes the group. The caller may then do so, and has to
   * release the group. An interrupt does not shorten the wait: a group that is never closed would
   * keep its rows.
   */
  void acquire(LedGroup group) {
    Backoff backoff = new Backoff(seams, TURN, LONGEST_TURN);
    boolean interrupted = false;
    try {
      while (!group.tryAcquire()) {
        if (backoff.elapsed().compareTo(PATIENCE) > 0) {
          throw new GroupException(
              "Group '"
                  + group.record().name()
                  + "' is being shipped, handed over or deleted by another call, which takes long:"
                  + " try again.",
              null);
        }
        if (!backoff.pause()) {
          interrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The name of the group that holds a row here. */
  Optional<String> holder(Row row) {
    return Optional.ofNullable(byMember.get(row)).map(group -> group.record().name());
  }
}
