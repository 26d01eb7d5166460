package io.braid.groups.leader;

import io.braid.core.protocol.Backoff;
import io.braid.core.runtime.Seams;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.HoldLostException;
import io.braid.groups.GroupException;
import io.braid.groups.GroupGoneException;
import io.braid.groups.GroupStuckException;
import io.braid.groups.log.GroupLog;
import io.braid.groups.log.LogFencedException;
import io.braid.groups.rows.GroupRecord;
import io.braid.groups.rows.GroupState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends groups: when they are deleted, or are no longer used. */
final class Deletion {
  /** How long a deletion waits for the store, before it goes on in the background. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Logger LOG = LoggerFactory.getLogger(Deletion.class);

  private final TimestampOracle oracle;
  private final Seams seams;
  private final GroupLog log;
  private final Duration lease;
  private final Records records;
  private final Followers followers;
  private final Shipper shipper;
  private final LedGroups led;
  private final FailedGroups failedGroups;
  private final Queue<Long> forgotten = new ConcurrentLinkedQueue<>();

  /**
   * @param lease the time after which a group is deleted if no client has it open or uses it
   */
  Deletion(
      GroupLeader.Base base,
      Duration lease,
      Records records,
      Followers followers,
      Shipper shipper,
      LedGroups led,
      FailedGroups failedGroups) {
    this.oracle = base.oracle();
    this.seams = base.seams();
    this.log = base.log();
    this.lease = lease;
    this.records = records;
    this.followers = followers;
    this.shipper = shipper;
    this.led = led;
    this.failedGroups = failedGroups;
  }

  void delete(LedGroup group) {
    if (!endIfLed(group)) {
      // An earlier caller has deleted the group or lost it.
      delete(group.record().name(), group.record().number());
    }
  }

  /** Deletes just this group, led or being formed; does nothing when it is gone. */
  void delete(String name, long number) {
    Backoff backoff = new Backoff(seams, Duration.ofMillis(2), Duration.ofMillis(200));
    boolean stopped = false;
    while (true) {
      LedGroup here = led.named(name);
      if (here != null && here.record().number() == number && endIfLed(here)) {
        return;
      }
      GroupRecord now = records.find(name).filter(r -> r.number() == number).orElse(null);
      if (now == null) {
        return;
      }
      stopped |= stop(now);
      if (!stopped && !now.owner().equals(seams.liveness().token())) {
        throw new GroupGoneException(
            name,
            now.state() == GroupState.DELETING
                ? "is being deleted by another process: wait"
                : "is led by another process by now: delete it there, or give it up"
                    + " ('braid group delete "
                    + name
                    + " --force') if that process and its log are gone for good");
      }
      Optional<String> trouble = failedGroups.stuck(number);
      if (trouble.isPresent()) {
        throw new GroupStuckException(name, "cannot be ended", trouble.get());
      }
      if (backoff.elapsed().compareTo(PATIENCE) > 0 || !backoff.pause()) {
        throw unfinished(name);
      }
    }
  }

  /**
   * Marks a group that is being formed for deletion, and returns whether it did. The process that
   * forms the group notices the stop when it tries to make the group live, and frees the rows that
   * have joined. If that process is gone, its successor does both.
   */
  private boolean stop(GroupRecord record) {
    return record.state() == GroupState.FORMING
        && records.change(record, record.with(GroupState.DELETING, record.members()));
  }

  /** False when the group is not led here any more. */
  private boolean endIfLed(LedGroup group) {
    led.acquire(group);
    try {
      if (!led.contains(group)) {
        return false;
      }
      end(group);
      return true;
    } catch (HoldLostException | LogFencedException e) {
      led.lost(group, e);
      return false;
    } finally {
      group.release();
    }
  }

  /**
   * Ends a group in the paper's order (5.4): everything is shipped before the followers get their
   * keys back. The record must say that the group is being deleted before the first key is free. It
   * says so only after everything is shipped, since a commit that the store refuses can be mended
   * in a live group only.
   */
  private void end(LedGroup group) {
    shipOrMend(group);
    begin(group);
    GroupRecord deleting = group.record();
    if (!followers.release(deleting, group.members()) || !records.remove(deleting)) {
      throw unfinished(group.record().name());
    }
    led.leave(group);
    forgotten.add(deleting.number());
  }

  private void begin(LedGroup group) {
    GroupRecord before = group.record();
    GroupRecord deleting = before.with(GroupState.DELETING, group.members().size());
    group.suspend();
    try {
      // Ship the commits that were made before the group was suspended.
      shipper.shipAll(group);
      if (before.state() != GroupState.DELETING && !records.change(before, deleting)) {
        throw new HoldLostException(before.leader(), before.name());
      }
      group.end(deleting);
    } finally {
      group.resume();
    }
  }

  /**
   * Ships everything. If the store refuses a commit of a group that is marked as being deleted, the
   * commit may be replaced as in a live group. Earlier versions marked a group before all of it was
   * shipped; no row of it is free yet then.
   */
  private void shipOrMend(LedGroup group) {
    try {
      shipper.shipAll(group);
    } catch (GroupStuckException e) {
      if (group.record().state() == GroupState.DELETING) {
        group.letMend();
      }
      throw e;
    }
  }

  /**
   * Has the log forget the groups that were deleted. No caller waits for this. If the process dies
   * first, a sweep removes the rest.
   */
  void forgetLogs() {
    List<Long> numbers = new ArrayList<>();
    for (Long each = forgotten.poll(); each != null; each = forgotten.poll()) {
      numbers.add(each);
    }
    if (!numbers.isEmpty()) {
      try {
        log.forget(numbers, oracle::next);
      } catch (RuntimeException e) {
        forgotten.addAll(numbers);
        throw e;
      }
    }
  }

  private static GroupException unfinished(String name) {
    return new GroupException(
        "Group '"
            + name
            + "' is being deleted, but the store does not answer; it goes on in the background.",
        null);
  }

  /** Deletes a group that is no longer used, or whose deletion broke off; else does nothing. */
  void expire(LedGroup group) {
    boolean idle = !group.isOpen() && seams.nanoTime() - group.usedNanos() > lease.toNanos();
    boolean half = group.record().state() == GroupState.DELETING;
    if ((idle || half) && failedGroups.isDue(group.record())) {
      LOG.debug("Group {} is deleted: it is not used.", group.record().name());
      try {
        endIfLed(group);
      } catch (RuntimeException e) {
        LOG.debug("Group {} is deleted later.", group.record().name(), e);
      }
    }
  }
}
