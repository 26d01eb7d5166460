package io.braid.store.hbase.region;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Whether this region server is still the one that serves its regions, for all that its clock can
 * tell. HBase opens a region elsewhere when the server's ZooKeeper session has expired; a server
 * that stood still beyond that does not know, and would answer reads from what it had. Its writes
 * go to a log that was closed before: a distributed file system refuses them, a local one takes
 * them where nobody reads them any more.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A request on the server's own session that was answered kept the session alive from when it
 *       arrived, hence at least for the session's timeout from when it was <em>asked</em>. The
 *       lease lasts {@link #TRUSTED_PERCENT} percent of that, by the monotonic clock.
 *   <li>What was read is given out only if the lease still lasts <em>after</em> the reading, and a
 *       write acknowledged only if it does after the log was synced; else its outcome is not known.
 * </ul>
 */
final class ServerLease {
  static final int TRUSTED_PERCENT = 80;

  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** The server's own session. */
  interface Session {
    /** How long it lives without a request. */
    Duration timeout();

    /**
     * Asks whether this server is still listed: as the ensemble knows it now, and not as one of its
     * members remembers it. Fails when nobody answers, which may take as long as it likes.
     */
    CompletableFuture<Boolean> isListed();
  }

  private final Session session;
  private final LongSupplier nanoTime;
  private final AtomicBoolean asking = new AtomicBoolean();
  private volatile boolean granted;
  private volatile boolean ended;
  private volatile long asked;
  private volatile long lasts;

  ServerLease(Session session, LongSupplier nanoTime) {
    this.session = session;
    this.nanoTime = nanoTime;
  }

  /**
   * To be called before reading: asks anew when a quarter has passed. There is one request at a
   * time; nobody waits for it but who sent it when nothing is trusted, and that not long.
   */
  void refresh() {
    boolean due = !isTrusted() || nanoTime.getAsLong() - asked > lasts / 4;
    if (due && asking.compareAndSet(false, true)) {
      CompletableFuture<?> answer = ask();
      if (!isTrusted()) {
        await(answer);
      }
    }
  }

  private CompletableFuture<?> ask() {
    long now = nanoTime.getAsLong();
    CompletableFuture<Boolean> answer;
    long time = 0;
    try {
      time = session.timeout().toNanos() / 100 * TRUSTED_PERCENT;
      answer = session.isListed();
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    long trusted = time;
    return answer.handle(
        (listed, failure) -> {
          if (failure == null) {
            keep(listed, now, trusted);
          } // Otherwise it runs out by itself.
          asking.set(false);
          return true;
        });
  }

  private static void await(CompletableFuture<?> answer) {
    try {
      answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // Nothing is trusted yet.
    }
  }

  private synchronized void keep(boolean listed, long now, long time) {
    granted = listed;
    asked = now;
    lasts = time;
  }

  /** Nothing is trusted again: the server stops. */
  void end() {
    ended = true;
  }

  /** Whether what was read before this call may be given out. */
  boolean isTrusted() {
    return granted && !ended && nanoTime.getAsLong() - asked < lasts;
  }
}
