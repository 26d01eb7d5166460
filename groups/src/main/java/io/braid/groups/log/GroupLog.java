package io.braid.groups.log;

import java.util.List;
import java.util.Map;

/**
 * Commits of groups, kept until they have been shipped. Implementing classes must comply with the
 * following:
 *
 * <ul>
 *   <li>After {@link #force} returned for the ticket of an entry, the entry and all of the same
 *       group that were appended before it survive what the durability of the log says.
 *   <li>{@link #recover} gives entries of a group without a gap, in the order of their positions:
 *       all that were forced, perhaps later ones, none that was never appended.
 *   <li>A write that failed leaves the log broken: nothing is acknowledged any more.
 *   <li>All methods may be called by many threads. {@link #append} does not wait.
 * </ul>
 */
public interface GroupLog extends AutoCloseable {
  /** Adds an entry after those that the same group has. */
  Ticket append(LogEntry entry);

  /** Waits until an entry is durable. */
  void force(Ticket ticket);

  /** What is in the log of an earlier life, by the numbers of the groups. To be called once. */
  Map<Long, List<LogEntry>> recover();

  /** The entries of a group up to a position stand in the store by now. */
  void shipped(long group, long position);

  /** The group is gone. */
  void forget(long group);

  /** What kind of log it is, in words; who finds the same words in a record can read it. */
  String describe();

  @Override
  void close();

  /** Stands for an entry until it is durable. */
  record Ticket(int lane, long number) {}
}
