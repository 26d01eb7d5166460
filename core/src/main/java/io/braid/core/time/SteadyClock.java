package io.braid.core.time;

import java.util.concurrent.TimeUnit;

/**
 * The wall clock as the oracle follows it: it never goes back and never leaps absurdly far. Holds
 * no reference to a clock: callers pass readings in, so that it may be used inside a monitor.
 *
 * <ul>
 *   <li>While the wall clock is right, this clock shows the same.
 *   <li>When the wall clock was set back by up to a week, this clock goes on at half speed until
 *       the wall clock has caught up.
 *   <li>This clock follows a step ahead of up to a week at once: a machine may have slept.
 *   <li>A wall clock that is further away, in either direction, counts as wrong until it is
 *       confirmed: this clock goes on at the pace of real time. So a run with a wrong year does no
 *       harm. After a year in which the database was never open, an operator has to confirm the
 *       clock.
 * </ul>
 */
final class SteadyClock {
  static final long MAX_LEAP_MILLIS = TimeUnit.DAYS.toMillis(7);

  private long nanos;
  private long nanoTime;
  private boolean doubtful;

  /**
   * @param millis where to begin, milliseconds since 1970
   * @param nanoTime the reading of the monotonic clock at that moment
   */
  SteadyClock(long millis, long nanoTime) {
    this.nanos = TimeUnit.MILLISECONDS.toNanos(millis);
    this.nanoTime = nanoTime;
  }

  /** Makes it show at least this time. */
  void atLeast(long millis) {
    nanos = Math.max(nanos, TimeUnit.MILLISECONDS.toNanos(millis));
  }

  /** Takes the readings of both clocks and returns the time, in milliseconds since 1970. */
  long advance(long wallMillis, long nanoTimeNow) {
    long elapsed = Math.max(0, nanoTimeNow - nanoTime);
    nanoTime += elapsed;
    long wall = TimeUnit.MILLISECONDS.toNanos(wallMillis);
    long leap = wall - (nanos + elapsed);
    doubtful = Math.abs(leap) > TimeUnit.MILLISECONDS.toNanos(MAX_LEAP_MILLIS);
    nanos = doubtful ? nanos + elapsed : Math.max(wall, nanos + elapsed / 2);
    return millis();
  }

  long millis() {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }

  /** Returns whether the wall clock was not trusted at the last reading. */
  boolean isDoubtful() {
    return doubtful;
  }
}
