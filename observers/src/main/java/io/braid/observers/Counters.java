package io.braid.observers;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;

/** The counts for {@link ObserverStats}. */
final class Counters {
  private static final long LONGEST_LAG_MILLIS = TimeUnit.DAYS.toMillis(30);

  private static final double LEAST_SECONDS = 0.1;
  private static final double AVERAGED_SECONDS = 10;

  final LongAdder runs = new LongAdder();
  final LongAdder collapsed = new LongAdder();
  final LongAdder conflicts = new LongAdder();
  final LongAdder unknown = new LongAdder();
  final LongAdder failures = new LongAdder();
  final LongAdder retries = new LongAdder();
  final LongAdder cleanVisits = new LongAdder();
  final LongAdder teleports = new LongAdder();

  // Guarded by this.
  private double rate;
  private long rateRuns;
  private long rateAt;
  private final ConcurrentHistogram lag = new ConcurrentHistogram(LONGEST_LAG_MILLIS, 2);

  /**
   * A run has committed.
   *
   * @param changes how many notifications it dealt with
   * @param millis since the newest change
   */
  void ran(int changes, long millis) {
    runs.increment();
    if (changes > 1) {
      collapsed.add(changes - 1);
    }
    lag.recordValue(Math.max(0, Math.min(millis, LONGEST_LAG_MILLIS)));
  }

  /** An average in which the last ten seconds or so count. */
  synchronized double runsPerSecond(long nanoTime) {
    double seconds = (nanoTime - rateAt) / 1e9;
    if (rateAt == 0) {
      rateAt = nanoTime;
      rateRuns = runs.sum();
    } else if (seconds >= LEAST_SECONDS) {
      long now = runs.sum();
      double weight = Math.min(1, seconds / AVERAGED_SECONDS);
      rate += ((now - rateRuns) / seconds - rate) * weight;
      rateRuns = now;
      rateAt = nanoTime;
    }
    return rate;
  }

  ObserverStats.Lag lag() {
    if (lag.getTotalCount() == 0) {
      return new ObserverStats.Lag(0, 0, 0, 0);
    }
    ConcurrentHistogram now = lag.copy();
    return new ObserverStats.Lag(
        now.getTotalCount(),
        now.getValueAtPercentile(50),
        now.getValueAtPercentile(99),
        now.getMaxValue());
  }
}
