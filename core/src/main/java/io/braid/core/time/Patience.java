package io.braid.core.time;

import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How long one caller of the oracle waits before it gives up. */
final class Patience {
  private static final Duration TOTAL = Duration.ofSeconds(5);
  private static final long FIRST_PAUSE_NANOS = 1_000_000;
  private static final long LONGEST_PAUSE_NANOS = 100_000_000;

  private final Seams seams;
  private long begin;
  private boolean begun;
  private long pauseNanos = FIRST_PAUSE_NANOS;
  private @Nullable RuntimeException cause;

  Patience(Seams seams) {
    this.seams = seams;
  }

  /** Remembers why there is something to wait for. */
  void failedBecause(RuntimeException e) {
    cause = e;
  }

  /** Waits a little, each time longer. */
  void pause() {
    seams.sleep(Duration.ofNanos(Math.min(pauseNanos, left())));
    pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
    check();
  }

  void await(Signal signal) {
    signal.await(Duration.ofNanos(left()));
    check();
  }

  private long left() {
    if (!begun) {
      begun = true;
      begin = seams.nanoTime();
    }
    return Math.max(0, TOTAL.toNanos() - (seams.nanoTime() - begin));
  }

  private void check() {
    if (Thread.currentThread().isInterrupted()) {
      throw new TimestampUnavailableException("Interrupted while waiting for a timestamp.", cause);
    }
    if (left() == 0) {
      throw new TimestampUnavailableException(
          "No timestamp could be given out for " + TOTAL.toSeconds() + " s: try again later.",
          cause);
    }
  }
}
