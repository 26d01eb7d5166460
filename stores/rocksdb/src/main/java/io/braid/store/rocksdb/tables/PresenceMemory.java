package io.braid.store.rocksdb.tables;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The memory that the presence filters of a store share: pieces of a few KiB, taken when a row is
 * counted first. When there are too many, those of families that have no cell just now are given
 * back, so that thousands of tables need no more than those that are written at a time.
 */
final class PresenceMemory {
  /** Bytes of a piece, about. */
  private static final int PIECE = 4 << 10;

  private static final int PART_OF_HEAP = 16;

  private final int most;
  private final Set<PresenceFilter> holding = ConcurrentHashMap.newKeySet();
  private final AtomicInteger taken = new AtomicInteger();

  /** Above this those that are idle are looked for; more than the most where all are at work. */
  private volatile int enough;

  /** A part of the heap of this process. */
  PresenceMemory() {
    this((int) Math.min(1 << 20, Runtime.getRuntime().maxMemory() / PART_OF_HEAP / PIECE));
  }

  /**
   * @param most pieces
   */
  PresenceMemory(int most) {
    this.most = most;
    this.enough = most;
  }

  /** A filter has taken a piece. */
  void took(PresenceFilter by) {
    holding.add(by);
    if (taken.incrementAndGet() > enough) {
      giveBack();
    }
  }

  private synchronized void giveBack() {
    if (taken.get() <= enough) {
      return;
    }
    for (PresenceFilter each : List.copyOf(holding)) {
      holding.remove(each); // first: it may take some again at once
      if (!release(each)) {
        holding.add(each);
      }
    }
    enough = Math.max(most, taken.get() + most / 4);
  }

  private boolean release(PresenceFilter filter) {
    int pieces = filter.clearIfIdle();
    taken.addAndGet(-Math.max(0, pieces));
    return pieces >= 0;
  }

  /** A filter is used no more. */
  synchronized void gone(PresenceFilter filter) {
    if (holding.remove(filter)) {
      taken.addAndGet(-filter.clear());
    }
  }

  int taken() {
    return taken.get();
  }
}
