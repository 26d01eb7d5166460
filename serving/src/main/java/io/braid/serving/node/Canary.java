package io.braid.serving.node;

import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.Seams;
import io.braid.serving.ServingException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Tries a version out on keys that clients read (off by default; section 4.3 swaps at once). The
 * reads are repeated beside those of the clients, in the live version and in the new one, in turn
 * first in the one and in the other: so no client waits, and both are timed alike.
 */
final class Canary {
  private static final Duration LOOK = Duration.ofMillis(2);

  /**
   * The median read time, in nanoseconds, up to which the clock or a neighbor may explain a slow
   * read.
   */
  private static final long UNTIMED = 20_000;

  private final Seams seams;
  private final CanaryPlan plan;
  private final Lease live;
  private final Lease fresh;
  private final long[] liveNanos;
  private final long[] freshNanos;
  private int reads;
  private int found;
  private int missing;
  private long liveBytes;
  private long freshBytes;

  Canary(Seams seams, CanaryPlan plan, Lease live, Lease fresh) {
    this.seams = seams;
    this.plan = plan;
    this.live = live;
    this.fresh = fresh;
    this.liveNanos = new long[plan.reads()];
    this.freshNanos = new long[plan.reads()];
  }

  /**
   * Compares as many reads as are planned.
   *
   * @throws ServingException {@code VERSION_REFUSED} when too few came, or they differ too much
   */
  CanaryReport run(ReadSample sample) {
    long end = seams.nanoTime() + plan.most().toNanos();
    while (reads < plan.reads()) {
      byte[] key = sample.poll();
      if (key != null) {
        compare(key);
      } else if (end - seams.nanoTime() > 0) {
        seams.sleep(LOOK);
      } else {
        throw refused(
            "only "
                + reads
                + " of "
                + plan.reads()
                + " reads came in "
                + plan.most().toSeconds()
                + " s. Give it longer, a larger share or fewer reads, or push without one.");
      }
    }
    return judged();
  }

  private void compare(byte[] key) {
    byte[] before;
    byte[] after;
    if (reads % 2 == 0) {
      before = timed(live, key, liveNanos);
      after = timed(fresh, key, freshNanos);
    } else {
      after = timed(fresh, key, freshNanos);
      before = timed(live, key, liveNanos);
    }
    if (before != null) {
      found++;
      if (after == null) {
        missing++;
      } else {
        liveBytes += before.length;
        freshBytes += after.length;
      }
    }
    reads++;
  }

  private byte @Nullable [] timed(Lease lease, byte[] key, long[] nanos) {
    long begun = seams.nanoTime();
    byte[] value = lease.peek(key, 0, key.length);
    nanos[reads] = seams.nanoTime() - begun;
    return value;
  }

  private CanaryReport judged() {
    long before = median(liveNanos);
    long after = median(freshNanos);
    double size = (freshBytes + 1.0) / (liveBytes + 1.0);
    double latency = (after + 1.0) / (before + 1.0);
    if (missing > plan.missing() * found) {
      throw refused(missing + " of " + found + " keys that are read are missing.");
    }
    if (size > plan.size() || size * plan.size() < 1) {
      throw refused(
          String.format(
              Locale.ROOT, "its values have %.2f times the bytes of the live ones.", size));
    }
    if (latency > plan.latency() && after > UNTIMED) {
      throw refused(
          String.format(
              Locale.ROOT, "its reads take %.1f times as long, %d µs.", latency, after / 1000));
    }
    return new CanaryReport(reads, found, missing, size, latency);
  }

  private static long median(long[] nanos) {
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private ServingException refused(String why) {
    return new ServingException(
        ErrorCode.VERSION_REFUSED, "The canary refused version " + fresh.version() + ": " + why);
  }
}
