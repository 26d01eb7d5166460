package io.braid.percolator;

import io.braid.core.runtime.Places;
import io.braid.core.runtime.Seams;
import io.braid.core.time.Timestamp;
import io.braid.core.time.TimestampOracle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The snapshots that are being read in this process, so that nobody collects what they need.
 *
 * <p>A snapshot is entered before its timestamp is drawn, at a bound below it. So whoever draws a
 * timestamp and then asks for the lowest active one misses no snapshot below that timestamp.
 *
 * <p>What has been open for longer than transactions may live holds nothing back any more: it was
 * forgotten, or has to be ready to be told that it is too old.
 */
final class ActiveSnapshots {
  private final TimestampOracle oracle;
  private final Seams seams;
  private final long maxAgeNanos;
  private final AtomicLong highest = new AtomicLong();
  private final Places<Active> active = new Places<>();

  /**
   * @param maxAge how long a snapshot is kept at most
   */
  ActiveSnapshots(TimestampOracle oracle, Seams seams, Duration maxAge) {
    this.oracle = oracle;
    this.seams = seams;
    this.maxAgeNanos = maxAge.toNanos();
  }

  /** A snapshot that is being read, until it is closed. */
  final class Active implements AutoCloseable {
    private final long begunNanos = seams.nanoTime();
    private final Places.Place<Active> place;
    private volatile long timestamp;

    private Active(long bound) {
      timestamp = bound;
      place = active.add(this);
    }

    boolean isExpired() {
      return seams.nanoTime() - begunNanos > maxAgeNanos;
    }

    long timestamp() {
      return timestamp;
    }

    @Override
    public void close() {
      place.free(this);
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

  /** Enters several, each at a fresh timestamp of its own; in the order of their timestamps. */
  List<Active> now(int count) {
    List<Active> entered = new ArrayList<>(count);
    long bound = highest.get();
    for (int i = 0; i < count; i++) {
      entered.add(enter(bound));
    }
    try {
      long timestamp = oracle.next(count);
      for (Active each : entered) {
        each.timestamp = timestamp;
        timestamp += Timestamp.STEP;
      }
      highest.accumulateAndGet(timestamp - Timestamp.STEP, Math::max);
      return entered;
    } catch (RuntimeException e) {
      entered.forEach(Active::close);
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
    return new Active(timestamp);
  }

  /** The lowest timestamp that is being read and kept; {@link Timestamp#MAX} when none is. */
  long lowest() {
    return active.lowest(each -> each.isExpired() ? Timestamp.MAX : each.timestamp, Timestamp.MAX);
  }
}
