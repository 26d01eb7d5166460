package io.braid.batch.sink;

import io.braid.core.runtime.Seams;
import java.time.Duration;

/**
 * Counts successes and failures over a recent time (section 4.2). When too few succeed, the task
 * should end rather than log failure after failure. Safe for many threads.
 */
public final class SuccessWindow {
  /** Fewer outcomes than this say nothing. */
  public static final int SAMPLE = 100;

  private static final int SLICES = 12;

  private final Seams seams;
  private final long sliceNanos;
  private final double threshold;
  private final boolean rejectionsExpected;
  private final long[] succeeded = new long[SLICES];
  private final long[] failed = new long[SLICES];
  private final long begun;
  private long slice;
  private boolean tripped;
  private String why = "";

  /**
   * @param threshold the share that must succeed, from 0 (any will do) to 1
   */
  public SuccessWindow(Seams seams, Duration length, double threshold) {
    this(seams, length, threshold, false);
  }

  /**
   * @param threshold the share that must succeed, from 0 (any will do) to 1
   * @param rejectionsExpected whether records that can never be written say nothing, as when those
   *     that failed are gone through once more
   */
  public SuccessWindow(Seams seams, Duration length, double threshold, boolean rejectionsExpected) {
    this.rejectionsExpected = rejectionsExpected;
    this.seams = seams;
    this.sliceNanos = Math.max(1, length.toNanos() / SLICES);
    this.threshold = threshold;
    this.begun = seams.nanoTime();
  }

  /** Counts, and returns whether too few have succeeded, now or ever. */
  public synchronized boolean count(long successes, long failures) {
    turn();
    int at = (int) (slice % SLICES);
    succeeded[at] += successes;
    failed[at] += failures;
    long good = sum(succeeded);
    long all = good + sum(failed);
    if (!tripped && all >= SAMPLE && good < threshold * all) {
      tripped = true;
      why = good + " of the last " + all + " records succeeded";
    }
    return tripped;
  }

  /** As {@link #count(long, long)}, for records that can never be written and for others. */
  public boolean count(long successes, long rejected, long left) {
    return count(successes, (rejectionsExpected ? 0 : rejected) + left);
  }

  public synchronized boolean isTripped() {
    return tripped;
  }

  /** Returns the counts at which the window tripped; empty before. */
  public synchronized String why() {
    return why;
  }

  private void turn() {
    long now = (seams.nanoTime() - begun) / sliceNanos;
    for (long each = Math.max(slice + 1, now - SLICES + 1); each <= now; each++) {
      succeeded[(int) (each % SLICES)] = 0;
      failed[(int) (each % SLICES)] = 0;
    }
    slice = Math.max(slice, now);
  }

  private static long sum(long[] counts) {
    long sum = 0;
    for (long count : counts) {
      sum += count;
    }
    return sum;
  }
}
