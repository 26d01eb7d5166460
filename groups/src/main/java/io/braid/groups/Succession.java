package io.braid.groups;

import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.store.UnknownTableException;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.HoldLostException;
import io.braid.core.transaction.TransactionException;
import io.braid.groups.log.GroupLog;
import io.braid.groups.log.LogBrokenException;
import io.braid.groups.log.LogEntry;
import io.braid.groups.log.LogFencedException;
import io.braid.groups.protocol.NotJoined;
import io.braid.groups.rows.GroupRecord;
import io.braid.groups.rows.GroupRecord.State;
import java.time.Duration;
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
 * Who leads a group next (section 4.3): whoever opens the database after its leader has died, or
 * runs beside it; or the one that its leader has chosen.
 *
 * <p>A leader is kept out in this order, each step by compare-and-set: its log, if that is one file
 * for all its groups; its epoch in the record, in the log, in the holds. Then nothing of the group
 * changes any more, and what is logged and not shipped is taken up.
 */
final class Succession {
  private static final Logger LOG = LoggerFactory.getLogger(Succession.class);

  private final Formation formation;
  private final LedGroups led;
  private final Records records;
  private final Holds holds;
  private final Shipper shipper;
  private final LeaderLease lease;
  private final Troubles troubles;
  private final GroupLog log;
  private final TimestampOracle oracle;
  private final Seams seams;
  private final Followers followers;
  private final long patienceNanos;

  /** Since when the leaders of groups are known to be gone that others are to take up first. */
  private final Map<Long, Long> orphans = new ConcurrentHashMap<>();

  private boolean looking;

  /**
   * @param followers says which groups are this process's before they are others'
   * @param patience how long others have then to take theirs up
   */
  Succession(
      LocalGroups.Base base,
      Followers followers,
      Duration patience,
      Formation formation,
      LedGroups led,
      Records records,
      Holds holds,
      Shipper shipper,
      LeaderLease lease,
      Troubles troubles) {
    this.followers = followers;
    this.patienceNanos = patience.toNanos();
    this.formation = formation;
    this.led = led;
    this.records = records;
    this.holds = holds;
    this.shipper = shipper;
    this.lease = lease;
    this.troubles = troubles;
    this.log = base.log();
    this.oracle = base.oracle();
    this.seams = base.seams();
  }

  /** At the opening. A group that cannot be taken up does not keep the others from it. */
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

  /** What the log knows of groups that are gone goes: their leader died, or a call came late. */
  void sweepLog() {
    Set<Long> gone = new HashSet<>(log.groups());
    if (!gone.isEmpty()) {
      // A record is there before the log of its group is; so it is looked for afterwards.
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
      troubles.retain(numbers);
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
   * @param all whether groups of nodes are taken also by who is none: else they are left to nodes,
   *     where their clients look for them
   */
  private void consider(GroupRecord record, boolean all, Set<String> resigned) {
    if (lease.isResigned() || led.leads(record.name())) {
      return;
    }
    if (!log.canRead(record.log())) {
      if (lease.isExclusive()) {
        troubles.notHere(record, lostLog(record));
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

  /** No other process leads groups here, and this one has not what the last one wrote. */
  private static LogBrokenException lostLog(GroupRecord record) {
    return new LogBrokenException(
        "The log with its commits is not here: restore it from a copy, or give the group up with"
            + " 'braid group delete "
            + record.name()
            + " --force'.",
        null);
  }

  /**
   * Who finds a dead leader first does not take all its groups: each goes to the node that owns its
   * leader key, if that takes it.
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
    if (troubles.isDue(record)) {
      try {
        takeOver(record);
        troubles.ended(record);
      } catch (LogFencedException e) {
        // Somebody else has taken it over since, or has deleted it.
        throw e;
      } catch (RuntimeException e) {
        troubles.notTakenUp(record, e);
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
    // Before the record forgets which log that was: whoever comes after us would not find it.
    log.supersede(record.log());
    if (!records.change(record, ours)) {
      return;
    }
    if (record.state() == State.FORMING) {
      formation.dissolve(ours, keys);
      return;
    }
    LiveGroup group = formation.lead(ours, new LinkedHashSet<>(keys), term, since);
    if (!opensLog(group)) {
      formation.dissolve(ours, keys);
      return;
    }
    // While a group is deleted, rows are freed once everything is shipped. From where the holds
    // know our epoch nobody else frees any; so if the leader's row stands, so does the position.
    Set<Row> held = holds.raise(keys, ours.hold());
    boolean shippable = true;
    if (record.state() == State.DELETING) {
      shippable = held.contains(ours.leader());
    } else if (!held.contains(ours.leader()) && isGone(ours)) {
      formation.dissolve(ours, keys);
      return;
    } else {
      take(keys, held, ours);
    }
    // Its row may be gone with its table, which tells nothing of what is shipped.
    long stands = shipper.positionOf(ours.leader(), ours.number());
    long shipped = shippable ? stands : 0;
    List<LogEntry> entries = shippable ? log.read(ours.number(), shipped) : List.of();
    group.recover(shipped, entries);
    // Its idle time begins anew: by whose wall clock it was used last is not known.
    led.enter(group);
    LOG.info("Group {} is led by this process now.", record.name());
  }

  /** False when the log keeps it from a group that is gone. */
  private boolean opensLog(LiveGroup group) {
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
   * Whether a group has been deleted whose record is there. Requests to create a record and to
   * change it that were sent again may come when it has been removed, and make it anew; and who
   * finds it cannot tell by it. But a group holds its leader's row as long as it has a record.
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
    List<NotJoined> refused = holds.take(missing, ours.hold(), joined -> {}, false);
    if (!refused.isEmpty()) {
      throw new GroupException(
          "Group '" + ours.name() + "' cannot be taken up again: " + refused, null);
    }
  }

  /** Makes another process the leader of a group that is led here. */
  void bequeath(LiveGroup group, String successor, String successorsLog) {
    led.acquire(group);
    try {
      GroupRecord before = group.record();
      if (before.state() != State.LIVE) {
        throw new GroupGoneException(before.name(), "is being deleted");
      }
      // Nothing is committed from here on, so all that there is can be shipped.
      group.suspend();
      shipper.shipAll(group);
      GroupRecord next = before.takenOverBy(successor, successorsLog).usedAt(seams.wallMillis());
      if (!changes(group, before, next)) {
        throw new HoldLostException(before.leader(), before.name());
      }
      group.end(next.with(State.DELETING, next.members()));
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
      if (troubles.of(record.number()).isPresent()
          && record.owner().equals(seams.liveness().token())
          && !led.leads(record.name())
          && records.change(record, record.takenOverBy(successor, successorsLog))) {
        troubles.ended(record);
      }
    }
  }

  /**
   * Whether the record names the next leader now. Where that is unknown nothing may be acknowledged
   * here any more, because the other may lead already: the record says who takes the group up.
   */
  private boolean changes(LiveGroup group, GroupRecord before, GroupRecord next) {
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
