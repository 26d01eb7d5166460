package io.braid.groups.leader;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.transaction.Transactions;
import io.braid.groups.GroupGoneException;
import io.braid.groups.GroupOutcomeUnknownException;
import io.braid.groups.log.GroupLog;
import io.braid.groups.log.LogBrokenException;
import io.braid.groups.log.LogEntry;
import io.braid.groups.log.LogFencedException;
import io.braid.groups.protocol.JoinRefusal;
import io.braid.groups.rows.GroupRecord;
import io.braid.groups.rows.GroupState;
import io.braid.groups.rows.Reign;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A group at its leader: the cached members, and the commits that are not shipped yet (section
 * 5.3).
 *
 * <p>Locks on members would be held while a client thinks, and a client may never come back. So
 * concurrency control is optimistic, with validation at the commit (Kung and Robinson): a
 * transaction remembers the versions that it has read, and commits if they are still the newest.
 * Three short cuts look tempting, and each loses or invents data:
 *
 * <ul>
 *   <li><em>Write the log first, the cache after the force.</em> Commits would wait for each
 *       other's disk writes, or validate against a cache without the commits before them.
 *   <li><em>Answer reads from the cache at once.</em> The cache may hold a commit that is not
 *       durable. If the log breaks then, a client has read a value that never existed. So a read
 *       waits for the log as far as the commits that it has seen.
 *   <li><em>Answer while the lease lasts.</em> Between the look at the lease and the answer the
 *       process may have stalled, and another may lead the group. So the lease is looked at again
 *       after the value was read.
 * </ul>
 *
 * <p>Invariants, under the monitor:
 *
 * <ul>
 *   <li>Commits get their positions, go into the cache and into the queue of the log in one step.
 *       So if a commit has read from another, the other is before it in the log.
 *   <li>A commit is acknowledged only when it is durable, and so are all commits that it has read
 *       from. The same holds for a read alone.
 *   <li>The monitor is never held while the store is read or the log is written.
 * </ul>
 */
final class LedGroup {
  private final GroupLog log;
  private final LeaderLease lease;
  private final ShippingCheck shippingCheck;
  private final long term;
  private final Reign reign;
  private final Set<Row> members;
  private final Set<String> tables;
  private final List<JoinRefusal> notJoined;
  private final MemberCache cache = new MemberCache();
  private final Backlog unshipped = new Backlog();
  private final Object monitor = new Object();
  private final MemberReader reader;
  private volatile GroupRecord record;
  private volatile long usedNanos;
  private volatile boolean logOpen;
  private volatile boolean mendable;
  private GroupLog.@Nullable Ticket lastTicket;
  private long position;
  private int handles;
  private boolean busy;
  private boolean suspended;
  private boolean torn;

  /**
   * @param term of the lease; the one before the record was written that makes this the leader
   * @param since a timestamp drawn before that
   * @param ahead which members are read together
   */
  LedGroup(
      GroupRecord record,
      Set<Row> members,
      List<JoinRefusal> notJoined,
      Transactions transactions,
      GroupLog log,
      LeaderLease lease,
      ShippingCheck shippingCheck,
      long term,
      long since,
      ReadAhead ahead) {
    this.record = record;
    this.members = Collections.unmodifiableSet(new LinkedHashSet<>(members));
    this.tables = members.stream().map(Row::table).collect(Collectors.toUnmodifiableSet());
    this.reader = new MemberReader(transactions, cache, ahead, monitor);
    this.notJoined = List.copyOf(notJoined);
    this.log = log;
    this.lease = lease;
    this.shippingCheck = shippingCheck;
    this.term = term;
    this.reign = new Reign(record.epoch(), since);
  }

  GroupRecord record() {
    return record;
  }

  /** In which term of this process's lease it was taken. */
  long term() {
    return term;
  }

  void record(GroupRecord next) {
    record = next;
  }

  Set<Row> members() {
    return members;
  }

  /** The tables of the members. */
  Set<String> tables() {
    return tables;
  }

  List<JoinRefusal> notJoined() {
    return notJoined;
  }

  /**
   * Keeps earlier leaders out of the log. A group without any needs it once before the low
   * watermark passes its number; its first commit does it too.
   *
   * @throws LogFencedException when another process leads the group by now
   */
  void openLog() {
    if (!logOpen) {
      log.fence(record.number(), reign);
      logOpen = true;
    }
  }

  /** Counts the held values of members in a memory from now on; null: in none. */
  void countIn(@Nullable GroupMemory memory) {
    synchronized (monitor) {
      cache.countIn(memory);
    }
  }

  /** By how many bytes more is held after these were written. */
  long growth(List<LogEntry.Write> writes) {
    synchronized (monitor) {
      return cache.growth(writes);
    }
  }

  /** Takes up the entries that an earlier leader has logged. */
  void recover(long shipped, List<LogEntry> entries) {
    long[] weights = entries.stream().mapToLong(e -> shippingCheck.bytes(e.writes())).toArray();
    synchronized (monitor) {
      position = shipped;
      for (int i = 0; i < weights.length; i++) {
        LogEntry entry = entries.get(i);
        if (entry.position() > position) {
          cache.apply(entry);
          unshipped.add(entry, weights[i], null);
          position = entry.position();
        }
      }
    }
  }

  void requireMember(Row row) {
    if (!members.contains(row)) {
      throw new IllegalArgumentException(
          "Row "
              + row
              + " is no member of group '"
              + record.name()
              + "': name it when the group is created.");
    }
  }

  /** Whether it is live, or has to be mended before it can be deleted. */
  boolean isUsed() {
    return record.state() == GroupState.LIVE || mendable;
  }

  /** A group that is being deleted is read and written until all of it is in the store. */
  void letMend() {
    mendable = true;
  }

  private void requireLive() {
    if (!isUsed()) {
      throw new GroupGoneException(record.name(), "is deleted, or led by another process");
    }
    if (torn) {
      throw new GroupGoneException(
          record.name(), "ran out of memory during a commit: open the database again");
    }
    if (suspended) {
      throw new GroupGoneException(
          record.name(), "is being handed over, or deleted: open it again");
    }
  }

  /** Whether it answers at this moment, so that no other process may. */
  boolean serves() {
    synchronized (monitor) {
      return record.state() == GroupState.LIVE && !suspended && !torn && lease.isTrusted(term);
    }
  }

  /** Nothing is read or committed until {@link #resume}. */
  void suspend() {
    synchronized (monitor) {
      suspended = true;
    }
  }

  void resume() {
    synchronized (monitor) {
      suspended = false;
    }
  }

  /**
   * Throws unless the lease is trusted. Called after a value for a client was read: another process
   * may have taken the group over.
   */
  private void requireTrusted() {
    if (!lease.isTrusted(term)) {
      throw new GroupGoneException(
          record.name(), "may be led by another process by now: this one did not answer in time");
    }
  }

  // Reading.

  /** The value of a column; the read becomes part of the set. */
  @Nullable Bytes read(Row row, ColumnName column, ReadSet reads) {
    while (true) {
      synchronized (monitor) {
        requireLive();
        MemberCache.Value cached = cache.get(row, column);
        if (cached != null) {
          reads.validate(cache, position);
          requireTrusted();
          reads.add(row, column, cached.version());
          return cached.value();
        }
      }
      reader.load(row, column);
    }
  }

  /** The values of a family of a row. */
  Map<ColumnName, Bytes> readFamily(Row row, String family, ReadSet reads) {
    while (true) {
      synchronized (monitor) {
        requireLive();
        if (cache.hasFamily(row, family)) {
          reads.validate(cache, position);
          requireTrusted();
          reads.add(row, cache.rowVersion(row));
          Map<ColumnName, Bytes> values = new HashMap<>();
          cache.family(row, family, values);
          return values;
        }
      }
      reader.loadFamily(row, family);
    }
  }

  // Committing.

  /**
   * Commits; the commit is durable on return. A transaction that has written nothing commits too.
   * Its values may be in the cache and not yet in the log. If the log breaks, the transaction has
   * read a value that never existed.
   *
   * @throws GroupGoneException when a transaction that writes nothing has read values that are not
   *     durable
   */
  long commit(ReadSet reads, List<LogEntry.Write> writes) {
    GroupLog.Ticket ticket;
    long at;
    long weight = shippingCheck.bytes(writes);
    synchronized (monitor) {
      requireLive();
      reads.validate(cache, position);
      if (!writes.isEmpty()) {
        append(writes, weight);
      }
      ticket = lastTicket;
      at = position;
    }
    try {
      force(ticket);
    } catch (LogBrokenException | LogFencedException e) {
      if (writes.isEmpty()) {
        throw new GroupGoneException(
            record.name(), "cannot be answered for by its leader: " + e.getMessage());
      }
      throw new GroupOutcomeUnknownException(record.name(), at, e);
    }
    if (writes.isEmpty()) {
      requireTrusted();
    }
    return at;
  }

  /**
   * Appends a commit. The order matters: if memory ends, either no part of the commit is there, or
   * the group does not go on.
   */
  private void append(List<LogEntry.Write> writes, long weight) {
    LogEntry entry = new LogEntry(record.number(), position + 1, writes);
    GroupLog.Ticket ticket = log.append(entry, reign);
    position++;
    lastTicket = ticket;
    torn = true;
    unshipped.add(entry, weight, ticket);
    cache.apply(entry);
    torn = false;
  }

  private void force(GroupLog.@Nullable Ticket ticket) {
    if (ticket != null) {
      log.force(ticket);
      logOpen = true;
    }
  }

  // Shipping.

  /**
   * The next commits to ship, oldest first, all of them durable.
   *
   * @param bytes how much at most, one commit at least
   * @param weight how much the store takes
   */
  List<LogEntry> nextBatch(long bytes, long weight) {
    Backlog.Batch batch;
    synchronized (monitor) {
      batch = unshipped.oldest(bytes, weight);
    }
    force(batch.ticket());
    return batch.entries();
  }

  /**
   * Returns whether these writes replace some that are not in the store yet. The store may be
   * refusing those.
   */
  boolean replacesUnshipped(List<LogEntry.Write> writes) {
    synchronized (monitor) {
      return writes.stream().anyMatch(each -> unshipped.writes(each.row(), each.column()));
    }
  }

  /** Returns the commits that are not in the store yet, oldest first. */
  List<LogEntry> pending() {
    synchronized (monitor) {
      return unshipped.entries();
    }
  }

  /** All commits up to a position are in the store. */
  void shipped(long upTo) {
    synchronized (monitor) {
      unshipped.removeUpTo(upTo);
    }
  }

  /** Whether a commit at a position, or one before, is not in the store yet. */
  boolean isUnshipped(long at) {
    synchronized (monitor) {
      return unshipped.beginsUpTo(at);
    }
  }

  long backlog() {
    synchronized (monitor) {
      return unshipped.bytes();
    }
  }

  int unshipped() {
    synchronized (monitor) {
      return unshipped.count();
    }
  }

  long position() {
    synchronized (monitor) {
      return position;
    }
  }

  /**
   * Tries to acquire the group for shipping or deleting, until {@link #release}; one thread at a
   * time.
   */
  boolean tryAcquire() {
    synchronized (monitor) {
      boolean free = !busy;
      busy = true;
      return free;
    }
  }

  void release() {
    synchronized (monitor) {
      busy = false;
    }
  }

  // Use.

  void open(int more) {
    synchronized (monitor) {
      handles += more;
    }
  }

  /** Whether some client of this process has it open. */
  boolean isOpen() {
    return clients() > 0;
  }

  /** How often it is open. */
  int clients() {
    synchronized (monitor) {
      return handles;
    }
  }

  void usedAt(long nanos) {
    usedNanos = nanos;
  }

  long usedNanos() {
    return usedNanos;
  }

  /** From now on nothing is read or committed. */
  void end(GroupRecord next) {
    synchronized (monitor) {
      record = next;
      mendable = false;
    }
  }
}
