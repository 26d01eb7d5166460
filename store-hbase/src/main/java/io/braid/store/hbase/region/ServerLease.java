package io.braid.store.hbase.region;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Whether this region server is still the one that serves its regions, for all that its clock can
 * tell. HBase opens a region elsewhere when the server's ZooKeeper session has expired; a server
 * that stood still beyond that does not know, and would answer reads from what it had. (Writes are
 * safe: their log is closed before the region opens elsewhere.)
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A request on the server's own session that was answered kept the session alive from when it
 *       arrived, hence at least for the session's timeout from when it was <em>asked</em>. The
 *       lease lasts {@link #TRUSTED_PERCENT} percent of that, by the monotonic clock.
 *   <li>What was read is given out only if the lease still lasts <em>after</em> the reading.
 * </ul>
 */
final class ServerLease {
  static final int TRUSTED_PERCENT = 80;

  /** The server's own session. */
  interface Session {
    /** How long it lives without a request. */
    Duration timeout();

    /**
     * Asks whether this server is still listed; false when it is not.
     *
     * @throws IOException when nobody answers
     */
    boolean isListed() throws IOException;
  }

  private final Session session;
  private final LongSupplier nanoTime;
  private final AtomicBoolean asking = new AtomicBoolean();
  private volatile boolean granted;
  private volatile long asked;
  private volatile long lasts;

  ServerLease(Session session, LongSupplier nanoTime) {
    this.session = session;
    this.nanoTime = nanoTime;
  }

  /** To be called before reading: renews it when a quarter has passed, by one caller at a time. */
  void refresh() {
    boolean must = !isTrusted();
    boolean due = must || nanoTime.getAsLong() - asked > lasts / 4;
    if (must || (due && asking.compareAndSet(false, true))) {
      try {
        renew();
      } catch (IOException e) {
        // It runs out by itself.
      } finally {
        asking.set(false);
      }
    }
  }

  private void renew() throws IOException {
    long now = nanoTime.getAsLong();
    boolean listed = session.isListed();
    keep(listed, now, session.timeout().toNanos() / 100 * TRUSTED_PERCENT);
  }

  private synchronized void keep(boolean listed, long now, long time) {
    if (!listed) {
      granted = false;
    } else if (!granted || now - asked > 0) {
      asked = now;
      lasts = time;
      granted = true;
    }
  }

  /** Whether what was read before this call may be given out. */
  boolean isTrusted() {
    return granted && nanoTime.getAsLong() - asked < lasts;
  }
}
