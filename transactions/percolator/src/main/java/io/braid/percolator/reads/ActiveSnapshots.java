package io.braid.percolator.reads;

import io.braid.core.runtime.Places;
import io.braid.core.runtime.Seams;
import io.braid.core.time.Timestamp;
import io.braid.core.time.TimestampOracle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The snapshots that are being read in this process, so that their data is not collected.
 *
 * <p>A snapshot is entered before its timestamp is drawn, at a bound below it. So a caller that
 * draws a timestamp, and then asks for the lowest active one, misses no snapshot below that
 * timestamp.
 *
 * <p>A snapshot that is open for longer than transactions may live holds back no collection any
 * more. It was forgotten, or its reader has to expect the error that it is too old.
 */
public final class ActiveSnapshots {
  private final TimestampOracle oracle;
  private final Seams seams;
  private final long maxAgeNanos;
  private final AtomicLong highest = new AtomicLong();
  private final Places<Active> active = new Places<>();

  /**
   * @param maxAge how long a snapshot is kept at most
   */
  public ActiveSnapshots(TimestampOracle oracle, Seams seams, Duration maxAge) {
    this.oracle = oracle;
    this.seams = seams;
    this.maxAgeNanos = maxAge.toNanos();
  }

  /** A snapshot that is being read, until it is closed. */
  public final class Active implements AutoCloseable {
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

  /** Enters several snapshots, each at its own fresh timestamp; returns them in timestamp order. */
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

  /** Draws a current timestamp, for a snapshot that has no reader. */
  long fresh() {
    long timestamp = oracle.next();
    highest.accumulateAndGet(timestamp, Math::max);
    return timestamp;
  }

  /**
   * Returns a timestamp below which nothing is or will be read here, unless {@link #enter} is
   * called with a lower one.
   */
  public long bound() {
    return Math.min(fresh(), lowest());
  }

  /** Enters a snapshot at a timestamp of the past. */
  Active enter(long timestamp) {
    return new Active(timestamp);
  }

  /** Returns the lowest timestamp that is read and kept; {@link Timestamp#MAX} if there is none. */
  public long lowest() {
    return active.lowest(each -> each.isExpired() ? Timestamp.MAX : each.timestamp, Timestamp.MAX);
  }
}
