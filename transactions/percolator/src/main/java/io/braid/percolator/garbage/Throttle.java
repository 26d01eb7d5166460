package io.braid.percolator.garbage;

import io.braid.core.runtime.Seams;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Keeps a collection to its {@link Rate}, by pauses after each batch. */
final class Throttle {
  private static final long LONGEST_PAUSE = 200_000_000;

  private final Seams seams;
  private final Rate rate;
  private final BooleanSupplier stopped;
  private final long begun;
  private long dueNanos;

  Throttle(Seams seams, Rate rate, BooleanSupplier stopped) {
    this.seams = seams;
    this.rate = rate;
    this.stopped = stopped;
    this.begun = seams.nanoTime();
  }

  /** Counts rows and bytes that were looked at; pauses until the rate allows them. */
  void spend(long rows, long bytes) {
    dueNanos += rate.nanosFor(rows, bytes);
    long left = dueNanos - (seams.nanoTime() - begun);
    while (left > 0 && !stopped.getAsBoolean()) {
      seams.sleep(Duration.ofNanos(Math.min(left, LONGEST_PAUSE)));
      left = dueNanos - (seams.nanoTime() - begun);
    }
  }
}
