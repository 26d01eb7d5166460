package io.braid.testkit;

import io.braid.core.store.TabletClock;
import io.braid.core.time.Timestamp;

/**
 * A tablet clock of a {@link MemoryStore}; guarded by the store's monitor. A version is both drawn
 * and applied under this monitor, so no caller ever waits for it.
 */
final class MemoryClock implements TabletClock {
  private boolean warm;
  private long now;

  @Override
  public long next(long atLeast) {
    long base = Math.max(now, atLeast);
    if (!warm || Timestamp.local(base) == Timestamp.STEP - 1) {
      return EXHAUSTED;
    }
    now = base + 1;
    return now;
  }

  @Override
  public void raise(long version) {
    now = Math.max(now, version);
  }

  long value() {
    return now;
  }

  /** Takes a fresh timestamp of the oracle. */
  void advance(long timestamp) {
    raise(timestamp);
    warm = true;
  }

  /** Forgets everything, like a server that dies. */
  void reset() {
    warm = false;
    now = 0;
  }

  /** Makes this the clock of both tablets from now on: above all that either has served. */
  void join(MemoryClock other) {
    warm = warm && other.warm;
    raise(other.now);
  }

  /** A clock that has served the same snapshots: that of the other half of a split tablet. */
  MemoryClock twin() {
    MemoryClock twin = new MemoryClock();
    twin.warm = warm;
    twin.now = now;
    return twin;
  }

  @Override
  public String toString() {
    return (warm ? "warm " : "cold ") + now;
  }
}
