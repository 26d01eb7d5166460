package io.braid.testkit.history;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The clock of a history. Each tick is greater than every earlier one of any thread, so that what
 * ended before something else started is seen to have, however coarse the clock beneath.
 */
public final class HistoryClock {
  private final LongSupplier nanos;
  private final long base;
  private final AtomicLong last;

  /**
   * @param nanos a clock that never goes back, in nanoseconds
   * @param origin the time of the history at which this clock begins
   */
  public HistoryClock(LongSupplier nanos, long origin) {
    this.nanos = nanos;
    this.base = origin - nanos.getAsLong();
    this.last = new AtomicLong(origin - 1);
  }

  public long tick() {
    long now = base + nanos.getAsLong();
    return last.updateAndGet(before -> Math.max(before + 1, now));
  }
}
