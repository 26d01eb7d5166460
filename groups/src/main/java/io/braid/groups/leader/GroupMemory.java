package io.braid.groups.leader;

import io.braid.groups.GroupException;
import io.braid.groups.log.LogEntry;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that the groups of a process use for values of their members (section 5.4: the leader
 * caches their contents). Values that were read are held without a bound, since reads are never
 * held up. A commit that needs more than the free room is refused.
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

  /** Returns whether there may be no room for writes. It ignores that writes may replace others. */
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
