package io.braid.core.time;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Raises the durable bound and knows which part of the timestamps below it is ours. For one thread
 * at a time.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>Every timestamp from {@link #begin} up to {@link #end}, which is not included, was reserved
 *       by raises of ours that certainly and durably happened.
 *   <li>A raise with an unknown outcome reserves nothing, even when a read shows the new bound: the
 *       bound may be visible and not yet durable. Only the next raise that certainly happened
 *       reserves, and with it everything before.
 *   <li>No two holders ask for the same bound, since each adds 30 random bits to it. So a bound
 *       that this holder did not ask for means that another one took over.
 * </ul>
 */
final class AllocatedRange {
  /** How far ahead of the last timestamp a range reaches: one second of them. */
  static final long AHEAD = 1000L << (Timestamp.LOCAL_BITS + Timestamp.COUNTER_BITS);

  private static final long RANDOM_PART = 1L << 30;

  private final TimestampBound bound;
  private final Map<Long, Long> unknown = new LinkedHashMap<>();
  private long begin;
  private long end;

  /** Begins with an empty range at the present bound. */
  AllocatedRange(TimestampBound bound) {
    this.bound = bound;
    this.begin = bound.read();
    this.end = begin;
  }

  long begin() {
    return begin;
  }

  long end() {
    return end;
  }

  /**
   * Extends the range beyond {@code reached} by about a second of timestamps.
   *
   * @return false when another holder took over; for good
   * @throws RuntimeException when the bound cannot be reached or the outcome is unknown; may be
   *     called again
   */
  boolean extend(long reached, RandomGenerator random) {
    while (true) {
      boolean doubtful = !unknown.isEmpty();
      long from = doubtful ? bound.read() : end;
      if (from != end && !unknown.containsValue(from)) {
        return beginAgain(from) && extend(reached, random);
      }
      Long asked = unknown.get(from);
      long next =
          asked != null ? asked : Math.max(reached, from) + AHEAD + random.nextLong(RANDOM_PART);
      unknown.put(from, next);
      if (bound.raise(from, next)) {
        unknown.clear();
        end = next;
        return true;
      }
      if (!doubtful) {
        return beginAgain(bound.read()) && extend(reached, random);
      }
    }
  }

  /**
   * Begins a new range after another process raised the bound. As long as nothing was reserved
   * here, the raise may be a late one of a predecessor: the range begins at the present bound.
   */
  private boolean beginAgain(long current) {
    if (begin != end) {
      return false;
    }
    unknown.clear();
    begin = current;
    end = current;
    return true;
  }
}
