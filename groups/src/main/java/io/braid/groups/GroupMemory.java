package io.braid.groups;

import io.braid.groups.log.LogEntry;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the groups of a process hold in memory of their members (section 5.4: the leader caches
 * their contents). What was read is held without a bound, since nobody who only reads is held up; a
 * commit that needs more than there is room for is refused.
 */
final class GroupMemory {
  private final AtomicLong held = new AtomicLong();
  private final long most;

  /**
   * @param most bytes
   */
  GroupMemory(long most) {
    this.most = most;
  }

  void add(long bytes) {
    held.addAndGet(bytes);
  }

  /** Whether there may be no room for writes; they may take the place of others. */
  boolean mayLackRoom(List<LogEntry.Write> writes) {
    return held.get() + MemberCache.size(writes) > most;
  }

  /**
   * Refuses a commit for which there is no room.
   *
   * @param more by how many bytes the group grows by it
   * @throws GroupException nothing was written then
   */
  void requireRoom(String group, long more) {
    if (more > 0 && held.get() + more > most) {
      throw new GroupException(
          "Group '"
              + group
              + "' takes no commit now: the key groups of this process hold "
              + (held.get() >> 20)
              + " MiB of their members in memory, of "
              + (most >> 20)
              + " (groups.memory). Nothing of this one was written: delete groups that have done"
              + " their work, or give the process more memory.",
          null);
    }
  }
}
