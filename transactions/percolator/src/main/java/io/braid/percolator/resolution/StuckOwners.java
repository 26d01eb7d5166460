package io.braid.percolator.resolution;

import io.braid.core.runtime.RecentEntries;
import io.braid.core.runtime.Seams;
import io.braid.percolator.context.PercolatorOptions;

/**
 * Judges whether the live owner of a lock is stuck (Percolator, section 2.2: a lock with a too old
 * wall time will be cleaned up even if the liveness token is valid).
 *
 * <p>Comparing wall times alone would condemn every live owner when a clock steps forward, and no
 * owner ever when the clock steps back. So this process watches the lock, by a clock that never
 * steps. An owner is stuck if its lock stays unchanged for the whole time to live. If the wall time
 * is already older than that, two heartbeats are enough. A wrong judgement costs the owner its
 * transaction, never more.
 */
final class StuckOwners {
  private static final int REMEMBERED = 4096;

  private final Seams seams;
  private final long ttlNanos;
  private final long ttlMillis;
  private final long graceNanos;
  private final RecentEntries<TransactionName, Watch> watched = new RecentEntries<>(REMEMBERED);

  private record Watch(long wallMillis, long sinceNanos) {}

  StuckOwners(Seams seams, PercolatorOptions.Locks locks) {
    this.seams = seams;
    this.ttlNanos = locks.ttl().toNanos();
    this.ttlMillis = locks.ttl().toMillis();
    this.graceNanos = locks.heartbeat().toNanos() * 2;
  }

  /**
   * Looks at the lock of a transaction.
   *
   * @param wallMillis the wall time in it
   */
  boolean isStuck(TransactionName name, long wallMillis) {
    long now = seams.nanoTime();
    boolean old = seams.wallMillis() - wallMillis > ttlMillis;
    Watch watch =
        watched.update(
            name,
            seen ->
                seen != null && seen.wallMillis == wallMillis ? seen : new Watch(wallMillis, now));
    long watchedNanos = now - watch.sinceNanos;
    return watchedNanos >= ttlNanos || (old && watchedNanos >= graceNanos);
  }
}
