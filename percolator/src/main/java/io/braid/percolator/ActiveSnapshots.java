package io.braid.percolator;

import io.braid.core.time.Timestamp;
import io.braid.core.time.TimestampOracle;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The snapshots that are being read in this process, so that nobody collects what they need.
 *
 * <p>A snapshot is entered before its timestamp is drawn, at a bound below it. So whoever draws a
 * timestamp and then asks for the lowest active one misses no snapshot below that timestamp.
 */
final class ActiveSnapshots {
  private final TimestampOracle oracle;
  private final AtomicLong highest = new AtomicLong();
  private final Set<Active> active = ConcurrentHashMap.newKeySet();

  ActiveSnapshots(TimestampOracle oracle) {
    this.oracle = oracle;
  }

  /** A snapshot that is being read, until it is closed. */
  final class Active implements AutoCloseable {
    private volatile long timestamp;

    private Active(long bound) {
      timestamp = bound;
    }

    long timestamp() {
      return timestamp;
    }

    @Override
    public void close() {
      active.remove(this);
    }
  }

  /** Enters a snapshot at a fresh timestamp. */
  Active now() {
    Active entered = enter(highest.get());
    try {
      entered.timestamp = fresh();
      return entered;
    } catch (RuntimeException e) {
      entered.close();
      throw e;
    }
  }

  /** A timestamp of now, for a snapshot that nobody reads. */
  long fresh() {
    long timestamp = oracle.next();
    highest.accumulateAndGet(timestamp, Math::max);
    return timestamp;
  }

  /**
   * A timestamp below which nothing is read here, nor will be unless {@link #enter} is called with
   * a lower one.
   */
  long bound() {
    return Math.min(fresh(), lowest());
  }

  /** Enters a snapshot at a timestamp of the past. */
  Active enter(long timestamp) {
    Active entered = new Active(timestamp);
    active.add(entered);
    return entered;
  }

  /** The lowest timestamp that is being read; {@link Timestamp#MAX} when none is. */
  long lowest() {
    long lowest = Timestamp.MAX;
    for (Active each : active) {
      lowest = Math.min(lowest, each.timestamp);
    }
    return lowest;
  }
}
