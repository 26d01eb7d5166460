package io.braid.percolator.reads;

import io.braid.core.protocol.RowScans;
import io.braid.core.time.Timestamp;
import io.braid.core.transaction.Staleness;
import io.braid.percolator.context.PercolatorContext;
import io.braid.percolator.garbage.Collector;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;

/**
 * The snapshots of this process: chooses the timestamp of each, and keeps its data from collection.
 * Each snapshot is first entered among those that are read ({@link ActiveSnapshots}), then checked.
 * So a collection either sees the snapshot, or is seen here.
 */
public final class Snapshots {
  private final PercolatorContext around;
  private final ActiveSnapshots active;
  private final RecentTimestamp recent = new RecentTimestamp();
  private final ReadPatterns patterns = new ReadPatterns();
  private final SnapshotReader reader;
  private final RowScans scans;
  private final Collector collector;

  public Snapshots(
      PercolatorContext around,
      ActiveSnapshots active,
      SnapshotReader reader,
      Collector collector) {
    this.around = around;
    this.active = active;
    this.reader = reader;
    this.scans =
        new RowScans(around.store(), around.storeRetries(), around.counters().trips, reader);
    this.collector = collector;
  }

  /** Enters a snapshot at a fresh timestamp. */
  public ActiveSnapshots.Active enter() {
    return enter(false);
  }

  private ActiveSnapshots.Active enter(boolean note) {
    long asked = around.seams().nanoTime();
    ActiveSnapshots.Active now = active.now();
    recent.learnt(now.timestamp(), asked, note);
    return now;
  }

  /** Enters several snapshots, each at its own fresh timestamp. */
  public List<ActiveSnapshots.Active> enter(int count) {
    long asked = around.seams().nanoTime();
    List<ActiveSnapshots.Active> entered = count == 0 ? List.of() : active.now(count);
    for (ActiveSnapshots.Active each : entered) {
      recent.learnt(each.timestamp(), asked, false);
    }
    return entered;
  }

  public PercolatorSnapshot at(ActiveSnapshots.Active entered) {
    return new PercolatorSnapshot(reader, scans, patterns, entered);
  }

  /**
   * Returns the snapshot of a transaction whose writes are in the store.
   *
   * @param standing throws when the writes are not there any more
   */
  public PercolatorSnapshot ofOwner(ActiveSnapshots.Active entered, Runnable standing) {
    SnapshotReader own = reader.ofOwner(standing);
    RowScans all =
        new RowScans(around.store(), around.storeRetries(), around.counters().trips, own, standing);
    return new PercolatorSnapshot(own, all, patterns, entered);
  }

  /**
   * Returns a snapshot. Asks the oracle only if this process has no timestamp that is young enough
   * and kept.
   */
  public PercolatorSnapshot within(Staleness staleness) {
    OptionalLong known = recent.within(staleness.atMost().toNanos(), around.seams().nanoTime());
    if (known.isPresent()) {
      ActiveSnapshots.Active entered = active.enter(known.getAsLong());
      if (collector.keeps(known.getAsLong())) {
        return at(entered);
      }
      entered.close();
    }
    return at(enter(true));
  }

  public PercolatorSnapshot past(long timestamp) {
    ActiveSnapshots.Active entered = active.enter(timestamp);
    try {
      collector.requireReadable(timestamp);
      return at(entered);
    } catch (RuntimeException e) {
      entered.close();
      throw e;
    }
  }

  public PercolatorSnapshot past(Instant time) {
    long last = around.oracle().lastAt(time);
    // A fresh timestamp: everything committed until now is at or below it.
    try (ActiveSnapshots.Active now = enter()) {
      Timestamp.requirePast(time, last, now.timestamp(), around.seams().wallMillis());
      return past(Math.min(last, now.timestamp()));
    }
  }
}
