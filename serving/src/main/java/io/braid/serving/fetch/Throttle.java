package io.braid.serving.fetch;

import io.braid.core.runtime.Seams;
import java.time.Duration;

/**
 * A rate that several tasks keep together, for as long as a node runs: what was not used in a quiet
 * hour is not caught up on.
 */
public final class Throttle {
  private static final long BURST = Duration.ofMillis(100).toNanos();

  private final Seams seams;
  private final long bytesPerSecond;
  private long next;

  /**
   * @param bytesPerSecond 0: no limit
   */
  public Throttle(Seams seams, long bytesPerSecond) {
    this.seams = seams;
    this.bytesPerSecond = bytesPerSecond;
    this.next = seams.nanoTime();
  }

  /** Waits until so many bytes more may pass. */
  void pass(int more) {
    if (bytesPerSecond > 0) {
      long wait = waitFor(more);
      if (wait > 0) {
        seams.sleep(Duration.ofNanos(wait));
      }
    }
  }

  private synchronized long waitFor(int more) {
    long now = seams.nanoTime();
    next = Math.max(next, now - BURST) + (long) (more * 1e9 / bytesPerSecond);
    return next - now;
  }
}
