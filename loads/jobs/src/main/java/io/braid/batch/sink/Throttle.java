package io.braid.batch.sink;

import io.braid.core.runtime.Seams;
import java.time.Duration;

/**
 * Holds a job to a rate, or slows it down when the store gets slower, so that the store still
 * serves other clients (section 3: threads throttled to a target throughput). Shared by all tasks
 * of a job.
 */
public final class Throttle {
  private static final double GROWTH = 1.001;
  private static final double SMOOTHING = 0.2;
  private static final long LONGEST_PAUSE = Duration.ofSeconds(1).toNanos();

  private final Seams seams;
  private final Rate rate;
  private long nextFree;
  private double latency;
  private double best = Double.MAX_VALUE;

  public Throttle(Seams seams, Rate rate) {
    this.seams = seams;
    this.rate = rate;
    this.nextFree = seams.nanoTime();
  }

  /** Waits until so much may be written. */
  public void acquire(long records, long bytes) {
    long wait = reserve(records, bytes);
    if (wait > 0) {
      seams.sleep(Duration.ofNanos(wait));
    }
  }

  private synchronized long reserve(long records, long bytes) {
    double seconds = 0;
    if (rate.records() > 0) {
      seconds = (double) records / rate.records();
    }
    if (rate.bytes() > 0) {
      seconds = Math.max(seconds, (double) bytes / rate.bytes());
    }
    long now = seams.nanoTime();
    long begin = Math.max(now, nextFree);
    nextFree = begin + (long) (seconds * 1e9);
    return begin - now;
  }

  /**
   * Records how long the store took for a batch, and pauses if that is more than twice its best
   * time.
   */
  public void observe(long records, long nanos) {
    long pause = rate.adaptive() ? pause((double) nanos / Math.max(1, records), nanos) : 0;
    if (pause > 0) {
      seams.sleep(Duration.ofNanos(pause));
    }
  }

  private synchronized long pause(double perRecord, long nanos) {
    latency = latency == 0 ? perRecord : latency + SMOOTHING * (perRecord - latency);
    best = Math.min(best * GROWTH, latency);
    double excess = latency / best;
    return excess <= 2 ? 0 : Math.min(LONGEST_PAUSE, (long) (nanos * (excess - 1)));
  }
}
