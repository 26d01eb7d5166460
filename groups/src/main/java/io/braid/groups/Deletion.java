package io.braid.groups;

import io.braid.core.runtime.Seams;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.HoldLostException;
import io.braid.groups.log.GroupLog;
import io.braid.groups.log.LogFencedException;
import io.braid.groups.rows.GroupRecord;
import io.braid.groups.rows.GroupRecord.State;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How groups end: when they are deleted, or nobody uses them any more. */
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

  /**
   * @param lease a group that nobody has open and nobody has used for so long is deleted
   */
  Deletion(
      LocalGroups.Base base,
      Duration lease,
      Records records,
      Followers followers,
      Shipper shipper,
      LedGroups led) {
    this.oracle = base.oracle();
    this.seams = base.seams();
    this.log = base.log();
    this.lease = lease;
    this.records = records;
    this.followers = followers;
    this.shipper = shipper;
    this.led = led;
  }

  void delete(LiveGroup group) {
    led.acquire(group);
    try {
      if (led.contains(group)) {
        end(group);
      } else if (isThere(group.record())) {
        // Whoever was before us lost it: nobody has deleted it.
        throw new GroupGoneException(group.record().name(), "is led by another process by now");
      }
    } catch (HoldLostException | LogFencedException e) {
      led.lost(group, e);
      throw new GroupGoneException(group.record().name(), "is led by another process by now");
    } finally {
      group.release();
    }
  }

  private boolean isThere(GroupRecord record) {
    return records.find(record.name()).filter(now -> now.number() == record.number()).isPresent();
  }

  /** The paper's order (5.4): everything is shipped before the followers get their keys back. */
  private void end(LiveGroup group) {
    GroupRecord before = group.record();
    GroupRecord deleting = before.with(State.DELETING, group.members().size());
    if (before.state() != State.DELETING) {
      if (!records.change(before, deleting)) {
        throw new HoldLostException(before.leader(), before.name());
      }
      group.end(deleting);
    }
    long since = seams.nanoTime();
    while (group.unshipped() > 0) {
      shipper.shipAll(group);
      if (group.unshipped() > 0 && seams.nanoTime() - since > PATIENCE.toNanos()) {
        throw unfinished(group);
      }
    }
    if (!followers.release(deleting, group.members()) || !records.remove(deleting)) {
      throw unfinished(group);
    }
    log.forget(deleting.number(), oracle::next);
    led.leave(group);
  }

  private static GroupException unfinished(LiveGroup group) {
    return new GroupException(
        "Group '"
            + group.record().name()
            + "' is being deleted, but the store does not answer; it goes on in the background.",
        null);
  }

  /** Deletes a group that nobody uses, or whose deletion broke off; else does nothing. */
  void expire(LiveGroup group) {
    boolean idle = !group.isOpen() && seams.nanoTime() - group.usedNanos() > lease.toNanos();
    boolean half = group.record().state() == State.DELETING;
    if (idle || half) {
      LOG.debug("Group {} is deleted: nobody uses it.", group.record().name());
      try {
        delete(group);
      } catch (RuntimeException e) {
        LOG.debug("Group {} is deleted later.", group.record().name(), e);
      }
    }
  }
}
