package io.braid.store.hbase.region;

import io.braid.core.store.TabletClock;
import io.braid.core.time.Timestamp;
import java.util.TreeSet;

/**
 * The clock of a region server, one for all its regions (Omid, section 4.3). See {@link
 * TabletClock} for its guarantees.
 *
 * <p>A region is <em>cold</em> from its opening until a timestamp arrives that the oracle gave out
 * after the opening. Another server may have served higher snapshots of the region, or drawn higher
 * versions, and neither need be in the data. A process that brings timestamps first learns how many
 * regions the server has opened, then takes a timestamp, then brings both. The timestamp warms just
 * these regions. The incarnation prevents that counts of an earlier server process are used here.
 */
final class ServerClock {
  private final long incarnation;
  private final TreeSet<Long> pending = new TreeSet<>();
  private long clock;
  private long opened;
  private long warm;

  ServerClock(long incarnation) {
    this.incarnation = incarnation;
  }

  long incarnation() {
    return incarnation;
  }

  /** A region opens here; its number. */
  synchronized long open() {
    return ++opened;
  }

  synchronized long opened() {
    return opened;
  }

  synchronized boolean cold(long region) {
    return region > warm;
  }

  /**
   * Draws a version for a region; the caller owes {@link #settle}. See {@link TabletClock#next}.
   */
  synchronized long next(long region, long atLeast) {
    long drawn = Math.max(clock, atLeast) + 1;
    if (region > warm || Timestamp.local(drawn) == 0) {
      return TabletClock.EXHAUSTED;
    }
    clock = drawn;
    pending.add(drawn);
    return drawn;
  }

  /** The version is applied, or never will be. */
  synchronized void settle(long version) {
    pending.remove(version);
    notifyAll();
  }

  /** Raises the clock to the snapshot, then waits for the commits drawn at or below it. */
  synchronized void awaitSnapshot(long snapshot) throws InterruptedException {
    if (snapshot == 0) {
      return;
    }
    raise(snapshot);
    while (!pending.isEmpty() && pending.first() <= snapshot) {
      wait();
    }
  }

  /** At or above all that was drawn, stored or served here. */
  synchronized long now() {
    return clock;
  }

  synchronized void raise(long version) {
    clock = Math.max(clock, version);
  }

  synchronized void advance(long timestamp, long seenIncarnation, long seenOpened) {
    raise(timestamp);
    if (seenIncarnation == incarnation) {
      warm = Math.max(warm, seenOpened);
    }
  }
}
