package io.braid.groups.leader;

import io.braid.core.store.UnknownTableException;
import io.braid.core.time.TimestampOracle;
import io.braid.groups.GroupException;
import io.braid.groups.GroupGoneException;
import io.braid.groups.GroupStuckException;
import io.braid.groups.log.GroupLog;
import io.braid.groups.rows.GroupRecord;
import io.braid.groups.rows.GroupState;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends groups that cannot end otherwise. Their commits that are not in the store are lost. */
final class Surrender {
  private static final Logger LOG = LoggerFactory.getLogger(Surrender.class);

  private final TimestampOracle oracle;
  private final GroupLog log;
  private final String token;
  private final Records records;
  private final Followers followers;
  private final LedGroups led;
  private final Deletion deletion;
  private final LeaderLease lease;

  Surrender(
      GroupLeader.Base base,
      Records records,
      Followers followers,
      LedGroups led,
      Deletion deletion,
      LeaderLease lease) {
    this.lease = lease;
    this.oracle = base.oracle();
    this.log = base.log();
    this.token = base.seams().liveness().token();
    this.records = records;
    this.followers = followers;
    this.led = led;
    this.deletion = deletion;
  }

  /** Deletes a group in the normal way if possible; else gives it up. */
  void giveUp(String name, long number) {
    GroupRecord record = records.find(name).filter(r -> r.number() == number).orElse(null);
    if (record != null && isStranded(record)) {
      LOG.warn("Group {} is given up: its log is not here, and its leader has ended.", name);
      free(name, number);
      return;
    }
    try {
      deletion.delete(name, number);
    } catch (GroupStuckException | UnknownTableException e) {
      // Else another process leads it, or the store is away: it may be well.
      LOG.warn("Group {} is given up, with what is not in the store of it: {}", name, e.toString());
      LedGroup here = led.named(name);
      if (here != null && here.record().number() == number) {
        drop(here);
      }
      free(name, number);
    }
  }

  /**
   * Returns whether a group has no leader and cannot be taken up from here: as in the copy of a
   * store that came without the logs.
   */
  private boolean isStranded(GroupRecord record) {
    return !record.owner().equals(token)
        && !log.canRead(record.log())
        && lease.hasEnded(record.owner());
  }

  private void drop(LedGroup group) {
    led.acquire(group);
    try {
      led.drop(group);
    } finally {
      group.release();
    }
  }

  private void free(String name, long number) {
    GroupRecord before = records.find(name).filter(r -> r.number() == number).orElse(null);
    if (before == null) {
      return;
    }
    GroupRecord ours =
        before.takenOverBy(token, log.describe()).with(GroupState.DELETING, before.members());
    if (!before.owner().equals(token) && !isStranded(before) || !records.change(before, ours)) {
      throw new GroupGoneException(name, "is led by another process by now");
    }
    if (!followers.release(ours, records.members(name)) || !records.remove(ours)) {
      throw new GroupException(
          "Not all rows of group '" + name + "' can be freed: try again.", null);
    }
    log.forget(List.of(number), oracle::next);
    followers.forget(ours);
  }
}
