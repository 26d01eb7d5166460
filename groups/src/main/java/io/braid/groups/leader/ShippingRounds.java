package io.braid.groups.leader;

import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.transaction.CommitResult;
import io.braid.core.transaction.HoldLostException;
import io.braid.groups.GroupOptions;
import io.braid.groups.leader.Shipper.Parcel;
import io.braid.groups.log.LogFencedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ships the logged commits of all groups (section 5.4). Batches that the store takes in one step
 * each share a trip, hence a sync.
 *
 * <p>A batch costs much the same whether it brings one commit or fifty. So a round is followed by a
 * rest that is four times as long, within bounds: a costly round lets more commits share the next
 * one.
 */
final class ShippingRounds {
  private static final Logger LOG = LoggerFactory.getLogger(ShippingRounds.class);
  private static final int REST = 4;
  private static final Duration LONGEST_REST = Duration.ofMillis(500);

  /** How many bytes are brought to the store in one trip, or little more. */
  private static final long MOST_TOGETHER = 16 << 20;

  private final CellStore store;
  private final Seams seams;
  private final LedGroups led;
  private final Shipper shipper;
  private final FailedGroups failedGroups;
  private final long batchBytes;
  private long restedAt;
  private volatile boolean wanted;

  ShippingRounds(
      GroupLeader.Base base,
      GroupOptions options,
      LedGroups led,
      Shipper shipper,
      FailedGroups failedGroups) {
    this.failedGroups = failedGroups;
    this.store = base.store();
    this.seams = base.seams();
    this.led = led;
    this.shipper = shipper;
    this.batchBytes = options.shipBytes();
    this.restedAt = seams.nanoTime();
  }

  /** The next round is not to rest before. */
  void want() {
    wanted = true;
  }

  /**
   * Called by one thread at a time.
   *
   * @return whether there is a whole batch left
   */
  boolean round() {
    long begin = seams.nanoTime();
    if (!wanted && begin - restedAt < 0) {
      return false;
    }
    wanted = false;
    boolean more = shipAll();
    long end = seams.nanoTime();
    restedAt = end + Math.min((end - begin) * REST, LONGEST_REST.toNanos());
    if (more) {
      want();
    }
    return more;
  }

  /** Ships everything, as many batches at a time as memory allows. */
  boolean shipAll() {
    boolean more = false;
    Iterator<LedGroup> groups = led.all().iterator();
    while (groups.hasNext()) {
      more |= shipSome(groups);
    }
    return more;
  }

  private boolean shipSome(Iterator<LedGroup> groups) {
    List<Parcel> together = new ArrayList<>();
    try {
      for (long bytes = 0; bytes < MOST_TOGETHER && groups.hasNext(); ) {
        LedGroup group = groups.next();
        boolean ships = group.unshipped() > 0 && failedGroups.isDue(group.record());
        Parcel parcel = ships && group.tryAcquire() ? begin(group) : null;
        if (parcel != null) {
          bytes += Math.min(group.backlog(), batchBytes);
          together.add(parcel);
        }
      }
      return !together.isEmpty() && send(together);
    } finally {
      for (Parcel parcel : together) {
        parcel.group().release();
        parcel.close();
      }
    }
  }

  /** Ships a batch that cannot share a trip with others; else the group stays acquired. */
  private @Nullable Parcel begin(LedGroup group) {
    Parcel parcel = null;
    Parcel shared = null;
    try {
      parcel = shipper.pack(group);
      if (parcel != null && store.together(parcel.rows())) {
        shared = parcel;
      } else if (parcel != null && parcel.send()) {
        // A group that commits all the time does not keep the others from being shipped.
        long upTo = group.position();
        while (group.isUnshipped(upTo) && shipper.shipNext(group)) {
          LOG.trace("The next batch is shipped.");
        }
      }
    } catch (RuntimeException e) {
      failed(group, e);
    } finally {
      if (shared == null) {
        group.release();
        if (parcel != null) {
          parcel.close();
        }
      }
    }
    return shared;
  }

  private boolean send(List<Parcel> parcels) {
    boolean more = false;
    List<CommitResult> results = shipper.send(parcels);
    for (int i = 0; i < parcels.size(); i++) {
      Parcel parcel = parcels.get(i);
      try {
        more |= parcel.arrived(results.get(i)) && parcel.group().backlog() >= batchBytes;
      } catch (RuntimeException e) {
        failed(parcel.group(), e);
      }
    }
    return more;
  }

  private void failed(LedGroup group, RuntimeException e) {
    if (e instanceof HoldLostException || e instanceof LogFencedException) {
      led.lost(group, e);
    } else {
      shipper.failed(group, e);
    }
  }
}
