package io.braid.groups.log;

import io.braid.groups.rows.Reign;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apiguardian.api.API;

/**
 * Commits of groups, kept until they have been shipped. Implementing classes must comply with the
 * following:
 *
 * <ul>
 *   <li>After {@link #force force} returned for the ticket of an entry, the entry and all earlier
 *       entries of the same group survive the failures that the durability of the log covers.
 *   <li>{@link #read read} returns entries of a group without a gap, in the order of their
 *       positions: all that were forced, perhaps later ones, none that was never appended.
 *   <li>After {@link #fence fence} returned, no entry of the group that was appended with a lower
 *       epoch becomes durable; its appender gets an error. After {@link #forget forget} returned,
 *       no entry of any leader that the group was taken from becomes durable, however late it
 *       comes.
 *   <li>A write that failed leaves the log broken: nothing is acknowledged any more.
 *   <li>All methods may be called by many threads. {@link #append append} does not wait.
 * </ul>
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public interface GroupLog extends AutoCloseable {
  /**
   * Adds an entry after those that the same group has.
   *
   * @param reign in which its leader leads the group
   */
  Ticket append(LogEntry entry, Reign reign);

  /**
   * Waits until an entry is durable.
   *
   * @throws LogFencedException when another leads the group by now, or has deleted it
   * @throws LogBrokenException when it is not known whether the entry is in the log
   */
  void force(Ticket ticket);

  /** Whether a write has failed, so that nothing is acknowledged any more. */
  boolean isBroken();

  /** Whether this can read the log that an earlier leader described so. */
  boolean canRead(String log);

  /**
   * Seals the earlier log, if one process wrote it for all its groups. Must be called before groups
   * are taken over whose leader is gone, as long as their records still name its log.
   *
   * @param earlier the description of the log
   */
  void supersede(String earlier);

  /**
   * Keeps leaders of lower epochs from adding to the history of a group; from then on that of this
   * epoch may add to it at any time.
   *
   * @throws LogFencedException when another leads the group by now, or has deleted it
   */
  void fence(long group, Reign reign);

  /**
   * Returns the entries that an earlier leader has logged of a group.
   *
   * @param after the position after which entries are wanted; entries up to it may be missing
   */
  List<LogEntry> read(long group, long after);

  /** The groups that an earlier life of this log knows of, and that were not forgotten. */
  Set<Long> groups();

  /**
   * Ends the appends of this process to a group: it does not lead the group any more, or only after
   * it has fenced the group again. The log forgets its state in memory for the group, but keeps the
   * entries.
   */
  void left(long group);

  /** Reports that the entries of a group up to a position are in the store. */
  void shipped(long group, long position);

  /**
   * The groups are gone.
   *
   * @param now draws a timestamp of the oracle, if one is needed
   */
  void forget(Collection<Long> groups, LongSupplier now);

  /**
   * Removes data that was kept of forgotten groups for late entries. Also removes logs of processes
   * that are gone, once they are not needed.
   */
  void sweep(Progress progress);

  /** How far groups have got. */
  @FunctionalInterface
  interface Progress {
    /**
     * Returns the position up to which a group is in the store; Long.MAX_VALUE when the group is
     * gone.
     */
    long shipped(long group);
  }

  /**
   * Returns the kind of the log, in words. A process that finds the same words in a record can read
   * the log.
   */
  String describe();

  @Override
  void close();

  /** Stands for an entry until it is durable, or refused. */
  interface Ticket {}
}
