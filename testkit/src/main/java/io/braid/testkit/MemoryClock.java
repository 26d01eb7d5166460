package io.braid.testkit;

import io.braid.core.store.TabletClock;
import io.braid.core.time.Timestamp;

/** The clock of a {@link MemoryStore}; guarded by the store's monitor. */
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

  /** Takes a fresh timestamp of the oracle. */
  void advance(long timestamp) {
    raise(timestamp);
    warm = true;
  }

  /** Forgets that it ever had a fresh timestamp. */
  void cool() {
    warm = false;
  }
}
