package io.braid.groups.leader;

import io.braid.core.protocol.Backoff;
import io.braid.core.runtime.Seams;
import io.braid.groups.GroupException;
import io.braid.groups.GroupStuckException;
import io.braid.groups.log.LogEntry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Keeps groups from committing much more than the store takes. Read-only transactions are never
 * held up. When the store refuses a commit, the group accepts only commits that replace unshipped
 * writes, because they may mend the refused one.
 */
final class BackPressure implements OptimisticTransaction.Admission {
  /** How long a commit waits for those before it to be shipped. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Duration LONGEST_PAUSE = Duration.ofMillis(20);

  private final Seams seams;
  private final FailedGroups failedGroups;
  private final long most;
  private final GroupMemory memory;
  private final Runnable shipNow;

  /**
   * @param most how many bytes of a group may wait to be shipped
   * @param memory of all groups
   * @param shipNow has the shipper begin
   */
  BackPressure(
      Seams seams, FailedGroups failedGroups, long most, GroupMemory memory, Runnable shipNow) {
    this.memory = memory;
    this.seams = seams;
    this.failedGroups = failedGroups;
    this.most = most;
    this.shipNow = shipNow;
  }

  @Override
  public void admit(LedGroup group, List<LogEntry.Write> writes) {
    String name = group.record().name();
    long number = group.record().number();
    Backoff backoff = new Backoff(seams, Duration.ofMillis(1), LONGEST_PAUSE);
    while (group.isUsed()) {
      Optional<String> stuck = failedGroups.stuck(number);
      if (stuck.isPresent()) {
        // Keep room for commits that may mend the refused one.
        if (group.backlog() <= 2 * most && group.replacesUnshipped(writes)) {
          return;
        }
        throw new GroupStuckException(name, "takes no such commit", stuck.get());
      }
      if (group.backlog() <= most) {
        if (memory.mayLackRoom(writes)) {
          memory.requireRoom(name, group.growth(writes));
        }
        return;
      }
      shipNow.run();
      if (backoff.elapsed().compareTo(PATIENCE) > 0 || !backoff.pause()) {
        throw new GroupException(
            "Group '"
                + name
                + "' takes no commit now: "
                + group.unshipped()
                + " wait to be shipped to the store"
                + failedGroups.latest(number).map(why -> ", which says: " + why).orElse(".")
                + " Nothing of this one was written: try again later.",
            null);
      }
    }
  }
}
