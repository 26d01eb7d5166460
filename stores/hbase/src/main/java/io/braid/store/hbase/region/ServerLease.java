package io.braid.store.hbase.region;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Whether this region server still serves its regions, as far as its clock can tell. HBase opens a
 * region elsewhere when the server's ZooKeeper session has expired. A server that was paused beyond
 * that moment does not notice, and would answer reads from its old data. Its writes go to a log
 * that was closed before. A distributed file system refuses these writes. A local file system
 * accepts them, but no process reads them any more.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>An answered request on the server's own session has kept the session alive since the
 *       request arrived. Hence the session lasts at least for its timeout from when the server
 *       <em>asked</em>. The lease lasts {@link #TRUSTED_PERCENT} percent of that, by the monotonic
 *       clock.
 *   <li>Data is given out only if the lease still lasts <em>after</em> the reading. A write is
 *       acknowledged only if the lease still lasts after the sync of the log; otherwise the outcome
 *       of the write is unknown.
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
     * Asks whether this server is still listed, as the ensemble knows it now, and not as one member
     * of the ensemble remembers it. Fails when there is no answer, after any length of time.
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
   * Renews the lease when a quarter of it has passed; to be called before reading. There is one
   * request at a time. Only its sender waits for it, only when nothing is trusted, and not for
   * long.
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
