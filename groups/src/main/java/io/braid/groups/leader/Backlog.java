package io.braid.groups.leader;

import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
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
  private final Deque<UnshippedEntry> commits = new ArrayDeque<>();
  private long bytes;

  private record UnshippedEntry(LogEntry entry, long weight, GroupLog.@Nullable Ticket ticket) {}

  /**
   * Commits to be shipped together.
   *
   * @param ticket of the last one: all are durable when it is; null when they are
   */
  record Batch(List<LogEntry> entries, GroupLog.@Nullable Ticket ticket) {}

  /**
   * Adds the newest commit.
   *
   * @param weight how many bytes it takes in a transaction of the store, at most
   * @param ticket null when it is durable
   */
  void add(LogEntry entry, long weight, GroupLog.@Nullable Ticket ticket) {
    commits.add(new UnshippedEntry(entry, weight, ticket));
    bytes += entry.size();
  }

  /**
   * The oldest commits.
   *
   * @param most how many bytes; one commit at least, if there is any
   * @param mostWeight of all
   */
  Batch oldest(long most, long mostWeight) {
    List<LogEntry> batch = new ArrayList<>();
    GroupLog.Ticket ticket = null;
    long size = 0;
    long weight = 0;
    for (UnshippedEntry each : commits) {
      size += each.entry.size();
      weight += each.weight;
      if (!batch.isEmpty() && (size > most || weight > mostWeight)) {
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

  /** Returns whether the oldest commit is at a position, or before it. */
  boolean beginsUpTo(long position) {
    return !commits.isEmpty() && commits.getFirst().entry.position() <= position;
  }

  /** Whether one of them writes a column. */
  boolean writes(Row row, ColumnName column) {
    return commits.stream()
        .flatMap(each -> each.entry.writes().stream())
        .anyMatch(write -> write.row().equals(row) && write.column().equals(column));
  }

  /** All of them. */
  List<LogEntry> entries() {
    return commits.stream().map(UnshippedEntry::entry).toList();
  }

  long bytes() {
    return bytes;
  }

  int count() {
    return commits.size();
  }
}
