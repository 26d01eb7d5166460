package io.braid.groups.leader;

import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.store.UnknownTableException;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.HoldLostException;
import io.braid.core.transaction.TransactionException;
import io.braid.groups.GroupException;
import io.braid.groups.GroupGoneException;
import io.braid.groups.GroupOptions;
import io.braid.groups.log.GroupLog;
import io.braid.groups.log.LogBrokenException;
import io.braid.groups.log.LogEntry;
import io.braid.groups.log.LogFencedException;
import io.braid.groups.protocol.JoinRefusal;
import io.braid.groups.rows.GroupRecord;
import io.braid.groups.rows.GroupState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the next leader of a group (section 4.3): a process that opens the database after the
 * leader has died, a process that runs beside it, or the one that the leader has chosen.
 *
 * <p>A leader is kept out in this order, each step by compare-and-set: its log, if that is one file
 * for all its groups; its epoch in the record, in the log, in the holds. Then nothing of the group
 * changes any more, and the commits that are logged and not shipped are taken up.
 */
final class Succession {
  private static final Logger LOG = LoggerFactory.getLogger(Succession.class);
  private static final int HEIRS_LOOKS = 3;

  private final Formation formation;
  private final LedGroups led;
  private final Records records;
  private final Holds holds;
  private final Shipper shipper;
  private final LeaderLease lease;
  private final FailedGroups failedGroups;
  private final GroupLog log;
  private final TimestampOracle oracle;
  private final Seams seams;
  private final Followers followers;
  private final boolean leads;
  private final long patienceNanos;

  /**
   * The times since when leaders are known to be gone, for groups that others are to take up first.
   */
  private final Map<Long, Long> orphans = new ConcurrentHashMap<>();

  private boolean looking;

  /**
   * @param followers says which groups belong to this process first; other processes have some
   *     looks to take up theirs
   */
  Succession(
      GroupLeader.Base base,
      Followers followers,
      GroupOptions options,
      Formation formation,
      LedGroups led,
      Records records,
      Holds holds,
      Shipper shipper,
      LeaderLease lease,
      FailedGroups failedGroups) {
    this.followers = followers;
    this.leads = options.mostGroups() > 0;
    this.patienceNanos = options.lookEvery().multipliedBy(HEIRS_LOOKS).toNanos();
    this.formation = formation;
    this.led = led;
    this.records = records;
    this.holds = holds;
    this.shipper = shipper;
    this.lease = lease;
    this.failedGroups = failedGroups;
    this.log = base.log();
    this.oracle = base.oracle();
    this.seams = base.seams();
  }

  /**
   * Takes up groups at the opening. A group that cannot be taken up does not keep the others from
   * it.
   */
  void begin() {
    sweepLog();
    Set<String> resigned = lease.resigned();
    for (GroupRecord record : records.all()) {
      try {
        consider(record, lease.isExclusive(), resigned);
      } catch (UnknownTableException | TransactionException | LogFencedException e) {
        LOG.debug("The other groups are taken up.", e);
      }
    }
  }

  /** Removes log entries of groups that are gone: their leader died, or a call came late. */
  void sweepLog() {
    Set<Long> gone = new HashSet<>(log.groups());
    if (!gone.isEmpty()) {
      // A record is written before the log of its group, so look for records after the log.
      records.all().forEach(record -> gone.remove(record.number()));
      log.forget(gone, oracle::next);
    }
    log.sweep(this::shipped);
  }

  private long shipped(long number) {
    return records.all().stream()
        .filter(record -> record.number() == number)
        .findFirst()
        .map(shipper::positionOf)
        .orElse(Long.MAX_VALUE);
  }

  /** Takes up the groups that are this process's to lead; one thread at a time does. */
  boolean round() {
    synchronized (this) {
      if (looking) {
        return false;
      }
      looking = true;
    }
    try {
      Set<String> resigned = lease.resigned();
      List<GroupRecord> all = records.all();
      List<Long> numbers = all.stream().map(GroupRecord::number).toList();
      failedGroups.retain(numbers);
      orphans.keySet().retainAll(numbers);
      for (GroupRecord record : all) {
        try {
          consider(record, false, resigned);
        } catch (RuntimeException e) {
          LOG.debug("Group {} is taken over later.", record.name(), e);
        }
      }
    } finally {
      synchronized (this) {
        looking = false;
      }
    }
    return false;
  }

  /**
   * @param all whether a process that is no node also takes groups of nodes; else they are left to
   *     nodes, where their clients look for them
   */
  private void consider(GroupRecord record, boolean all, Set<String> resigned) {
    if (!leads || lease.isResigned() || led.leads(record.name())) {
      return;
    }
    if (!log.canRead(record.log())) {
      if (lease.isExclusive()) {
        failedGroups.notHere(record, lostLog(record));
      }
      return;
    }
    if (!all && isNode(record.owner()) && !isNode(seams.liveness().token())) {
      return;
    }
    boolean ours = record.owner().equals(seams.liveness().token());
    boolean orphaned = resigned.contains(record.owner()) || lease.hasEnded(record.owner());
    if (ours || orphaned && isNext(record)) {
      takeOverIfDue(record);
    }
  }

  /**
   * Returns the error for a missing log. No other process leads groups here, and this one cannot
   * read the log of the last leader.
   */
  private static LogBrokenException lostLog(GroupRecord record) {
    return new LogBrokenException(
        "The log with its commits is not here: restore it from a copy, or give the group up with"
            + " 'braid group delete "
            + record.name()
            + " --force'.",
        null);
  }

  /**
   * Returns whether this process should lead a group next. The first process that finds a dead
   * leader does not take all its groups. Each group goes to the node that owns its leader key, if
   * that node takes it.
   */
  private boolean isNext(GroupRecord record) {
    if (followers.owns(record.leader())) {
      return true;
    }
    long now = seams.nanoTime();
    Long since = orphans.putIfAbsent(record.number(), now);
    return since != null && now - since > patienceNanos;
  }

  private void takeOverIfDue(GroupRecord record) {
    if (failedGroups.isDue(record)) {
      try {
        takeOver(record);
        failedGroups.ended(record);
      } catch (LogFencedException e) {
        // Somebody else has taken it over since, or has deleted it.
        throw e;
      } catch (RuntimeException e) {
        failedGroups.notTakenUp(record, e);
        throw e;
      }
    }
  }

  /** Several may live in one process: their tokens have two parts. */
  private static boolean isNode(String token) {
    return token.indexOf('/') >= 0;
  }

  private void takeOver(GroupRecord record) {
    long term = lease.term();
    long since = oracle.next();
    GroupRecord ours = record.takenOverBy(seams.liveness().token(), log.describe());
    List<Row> keys = records.members(record.name());
    // Before the record forgets that log: a later successor would not find the log.
    log.supersede(record.log());
    if (!records.change(record, ours)) {
      return;
    }
    if (record.state() == GroupState.FORMING) {
      formation.dissolve(ours, keys);
      return;
    }
    LedGroup group = formation.lead(ours, new LinkedHashSet<>(keys), term, since);
    if (!opensLog(group)) {
      formation.dissolve(ours, keys);
      return;
    }
    // While a group is deleted, its rows are freed only after everything is shipped. Once the holds
    // carry our epoch, no other process frees a row. So if the leader's row is still held, the
    // shipped position is still there.
    Set<Row> held = holds.raise(keys, ours.hold());
    boolean shippable = true;
    if (record.state() == GroupState.DELETING) {
      shippable = held.contains(ours.leader());
    } else if (!held.contains(ours.leader()) && isGone(ours)) {
      formation.dissolve(ours, keys);
      return;
    } else {
      take(keys, held, ours);
    }
    // The leader's row may be gone with its table. Then the shipped position is unknown.
    long stands = shipper.positionOf(ours.leader(), ours.number());
    long shipped = shippable ? stands : 0;
    List<LogEntry> entries = shippable ? log.read(ours.number(), shipped) : List.of();
    group.recover(shipped, entries);
    // The idle time begins again: the time of the last use is by an unknown wall clock.
    led.enter(group);
    LOG.info("Group {} is led by this process now.", record.name());
  }

  /** False when the log keeps it from a group that is gone. */
  private boolean opensLog(LedGroup group) {
    try {
      group.openLog();
      return true;
    } catch (LogFencedException e) {
      if (isGone(group.record())) {
        return false;
      }
      throw e;
    }
  }

  /**
   * Returns whether a group has been deleted although its record is there. Repeated requests to
   * create or change the record may arrive after its removal, and create it again. The record does
   * not show this. But a group holds its leader's row as long as it has a record.
   */
  private boolean isGone(GroupRecord record) {
    boolean gone =
        holds.of(record.leader()).filter(each -> each.number() == record.number()).isEmpty()
            && log.read(record.number(), shipper.positionOf(record.leader(), record.number()))
                .isEmpty();
    if (gone) {
      LOG.info("Group {} was deleted, and its record came back: removed.", record.name());
    }
    return gone;
  }

  /** Its rows that were lost with a table that was made again. */
  private void take(List<Row> keys, Set<Row> held, GroupRecord ours) {
    List<Row> missing = new ArrayList<>(keys);
    missing.removeAll(held);
    List<JoinRefusal> refused = holds.take(missing, ours.hold(), joined -> {}, false);
    if (!refused.isEmpty()) {
      throw new GroupException(
          "Group '" + ours.name() + "' cannot be taken up again: " + refused, null);
    }
  }

  /** Makes another process the leader of a group that is led here. */
  void bequeath(LedGroup group, String successor, String successorsLog) {
    led.acquire(group);
    try {
      GroupRecord before = group.record();
      if (before.state() != GroupState.LIVE) {
        throw new GroupGoneException(before.name(), "is being deleted");
      }
      // Nothing is committed from here on, so all that there is can be shipped.
      group.suspend();
      shipper.shipAll(group);
      GroupRecord next = before.takenOverBy(successor, successorsLog).usedAt(seams.wallMillis());
      if (!changes(group, before, next)) {
        throw new HoldLostException(before.leader(), before.name());
      }
      group.end(next.with(GroupState.DELETING, next.members()));
      led.leave(group);
    } catch (HoldLostException e) {
      led.lost(group, e);
      throw new GroupGoneException(group.record().name(), "is led by another process by now");
    } finally {
      group.resume();
      group.release();
    }
  }

  /** Makes another process try the groups that this one cannot take up. */
  void bequeathTroubles(String successor, String successorsLog) {
    for (GroupRecord record : records.all()) {
      if (failedGroups.of(record.number()).isPresent()
          && record.owner().equals(seams.liveness().token())
          && !led.leads(record.name())
          && records.change(record, record.takenOverBy(successor, successorsLog))) {
        failedGroups.ended(record);
      }
    }
  }

  /**
   * Returns whether the record names the next leader now. If that is unknown, no commit may be
   * acknowledged here any more, because the other may lead already. The record decides who takes
   * the group up.
   */
  private boolean changes(LedGroup group, GroupRecord before, GroupRecord next) {
    try {
      return records.change(before, next);
    } catch (TabletUnavailableException e) {
      led.doubted(group, e);
      throw new GroupException(
          "Whether group '"
              + before.name()
              + "' was handed over is not known; its leader is found"
              + " by its name as soon as the store answers again.",
          e);
    }
  }
}
