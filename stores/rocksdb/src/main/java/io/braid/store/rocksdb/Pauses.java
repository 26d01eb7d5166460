package io.braid.store.rocksdb;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** How long calls that must be alone kept all others waiting. */
final class Pauses {
  private final AtomicLong longest = new AtomicLong();

  <T> T measure(Supplier<T> alone) {
    long begin = System.nanoTime();
    try {
      return alone.get();
    } finally {
      longest.accumulateAndGet(System.nanoTime() - begin, Math::max);
    }
  }

  /** The longest since this was last asked, in nanoseconds. */
  long take() {
    return longest.getAndSet(0);
  }
}
