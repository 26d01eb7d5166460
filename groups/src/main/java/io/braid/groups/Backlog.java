package io.braid.groups;

import io.braid.groups.log.GroupLog;
import io.braid.groups.log.LogEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The commits of a group that are not known to be in the store, oldest first (section 5.4). Not
 * safe for threads: the group's monitor guards it.
 */
final class Backlog {
  private final Deque<Unshipped> commits = new ArrayDeque<>();
  private long bytes;

  private record Unshipped(LogEntry entry, GroupLog.@Nullable Ticket ticket) {}

  /**
   * Commits to be shipped together.
   *
   * @param ticket of the last one: all are durable when it is; null when they are
   */
  record Batch(List<LogEntry> entries, GroupLog.@Nullable Ticket ticket) {}

  /**
   * Adds the newest commit.
   *
   * @param ticket null when it is durable
   */
  void add(LogEntry entry, GroupLog.@Nullable Ticket ticket) {
    commits.add(new Unshipped(entry, ticket));
    bytes += entry.size();
  }

  /**
   * The oldest commits.
   *
   * @param most how many bytes; one commit at least, if there is any
   */
  Batch oldest(long most) {
    List<LogEntry> batch = new ArrayList<>();
    GroupLog.Ticket ticket = null;
    long size = 0;
    for (Unshipped each : commits) {
      size += each.entry.size();
      if (!batch.isEmpty() && size > most) {
        break;
      }
      batch.add(each.entry);
      ticket = each.ticket;
    }
    return new Batch(batch, ticket);
  }

  /** All up to a position are in the store. */
  void removeUpTo(long position) {
    while (!commits.isEmpty() && commits.getFirst().entry.position() <= position) {
      bytes -= commits.removeFirst().entry.size();
    }
  }

  long bytes() {
    return bytes;
  }

  int count() {
    return commits.size();
  }
}
