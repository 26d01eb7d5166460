package io.braid.groups.leader;

import io.braid.core.protocol.Duty;
import io.braid.core.runtime.Seams;
import io.braid.groups.GroupOptions;
import io.braid.groups.log.GroupLog;
import io.braid.groups.log.LogFencedException;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The background work of a leader: it ships, renews its lease, looks for groups whose leaders are
 * gone, deletes unused groups, and frees rows that groups that are gone still hold.
 */
final class Upkeep {
  private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);
  private static final Duration EXPIRE_EVERY = Duration.ofSeconds(1);

  private final GroupLog log;
  private final LedGroups led;
  private final ShippingRounds rounds;
  private final LeaderLease lease;
  private final Succession succession;
  private final Deletion deletion;
  private final GhostSweep ghosts;
  private final Duty shipping;
  private final Duty succeeding;
  private final List<Duty> others;

  /** Starts it. */
  Upkeep(
      GroupLeader.Base base,
      GroupOptions options,
      LedGroups led,
      Shipper shipper,
      FailedGroups failedGroups,
      LeaderLease lease,
      Succession succession,
      Deletion deletion,
      GhostSweep ghosts) {
    this.log = base.log();
    this.led = led;
    this.rounds = new ShippingRounds(base, options, led, shipper, failedGroups);
    this.lease = lease;
    this.succession = succession;
    this.deletion = deletion;
    this.ghosts = ghosts;
    Seams seams = base.seams();
    this.shipping = Duty.start(seams, "braid-group-shipper", options.shipEvery(), rounds::round);
    Duty expiring = Duty.start(seams, "braid-group-lease", EXPIRE_EVERY, this::expire);
    this.succeeding =
        Duty.start(seams, "braid-group-succession", options.lookEvery(), succession::round);
    this.others =
        List.of(
            expiring,
            Duty.start(seams, "braid-group-leader", lease.period(), this::renew),
            Duty.start(seams, "braid-group-ghosts", options.sweepEvery(), this::sweep));
  }

  /** Ships everything without waiting for the next round. */
  void shipNow() {
    rounds.want();
    shipping.wake();
  }

  private boolean renew() {
    if (lease.isResigned() || (log.isBroken() && !lease.isExclusive())) {
      resign();
      return false;
    }
    lease.renew();
    boolean lapsed = false;
    for (LedGroup group : led.all()) {
      if (group.term() != lease.term()) {
        LOG.info("Group {} is taken up again: the lease had lapsed.", group.record().name());
        led.drop(group);
        lapsed = true;
      }
    }
    if (lapsed) {
      succeeding.wake();
    }
    return false;
  }

  /**
   * Gives up all groups. A process that cannot acknowledge commits keeps no row, because other
   * processes can.
   */
  private void resign() {
    if (!lease.isResigned()) {
      LOG.error(
          "The log of the groups is broken: this process gives its groups up. Start it again.");
    }
    if (!lease.resign()) {
      LOG.debug("Others hear later that this process has given its groups up.");
    }
    led.all().forEach(led::drop);
  }

  private boolean expire() {
    for (LedGroup group : led.all()) {
      openLog(group);
      deletion.expire(group);
    }
    deletion.forgetLogs();
    return false;
  }

  private void openLog(LedGroup group) {
    try {
      group.openLog();
    } catch (LogFencedException e) {
      led.lost(group, e);
    } catch (RuntimeException e) {
      LOG.debug("The log of group {} is opened later.", group.record().name(), e);
    }
  }

  private boolean sweep() {
    ghosts.run();
    succession.sweepLog();
    lease.sweep();
    return false;
  }

  /** Ends the background work, and ships everything. */
  void close() {
    others.forEach(Duty::close);
    succeeding.close();
    shipping.close();
    rounds.shipAll();
    try {
      deletion.forgetLogs();
    } catch (RuntimeException e) {
      LOG.debug("The logs of deleted groups are swept later.", e);
    }
  }
}
