package io.braid.testkit.history;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The clock of a history. Each tick is greater than every earlier one of any thread. So ticks show
 * that one thing ended before another started, however coarse the underlying clock is.
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

  private HistoryClock(LongSupplier nanos) {
    this.nanos = nanos;
    this.base = 0;
    this.last = new AtomicLong(Long.MIN_VALUE);
  }

  /**
   * Returns the underlying clock as it is, for processes that run at once on one machine and must
   * agree. A clock with an origin lags by the time between the reading of the origin and the making
   * of the clock. This time is as long as the loading of classes takes, and makes the end of a
   * transaction seem too early.
   *
   * @param nanos the same clock for all of them, such as that of a machine since its start
   */
  public static HistoryClock shared(LongSupplier nanos) {
    return new HistoryClock(nanos);
  }

  public long tick() {
    long now = base + nanos.getAsLong();
    return last.updateAndGet(before -> Math.max(before + 1, now));
  }
}
