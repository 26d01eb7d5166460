package io.braid.percolator.reads;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The latest timestamp that the oracle gave this process, and the time of the request. Everything
 * that was acknowledged before the request lies below the timestamp.
 */
final class RecentTimestamp {
  /** The shortest time between two timestamps that are noted. */
  private static final long STEP_NANOS = 500_000;

  private record Known(long timestamp, long askedNanos) {}

  private final AtomicReference<@Nullable Known> latest = new AtomicReference<>();

  /**
   * @param askedNanos a time of {@code Seams.nanoTime} before the oracle was asked
   * @param always whether it is noted even if the latest is hardly older
   */
  void learnt(long timestamp, long askedNanos, boolean always) {
    Known known = latest.get();
    while (known == null
        || (timestamp > known.timestamp
            && (always || askedNanos - known.askedNanos >= STEP_NANOS))) {
      if (latest.compareAndSet(known, new Known(timestamp, askedNanos))) {
        return;
      }
      known = latest.get();
    }
  }

  /** Returns the timestamp if it was requested at most so long ago. */
  OptionalLong within(long nanos, long nowNanos) {
    Known known = latest.get();
    return known == null || nowNanos - known.askedNanos > nanos
        ? OptionalLong.empty()
        : OptionalLong.of(known.timestamp);
  }
}
