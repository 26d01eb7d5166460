package io.braid.serving.node;

import java.time.Duration;
import org.apiguardian.api.API;

/**
 * How a version is tried out before it goes live: a share of the keys that are read anyway are read
 * in it too.
 *
 * @param share of reads that are repeated in the new version, above 0 and at most 1
 * @param reads to compare, at least 1
 * @param most how long to wait for so many, above zero
 * @param missing share of keys of the live version that may be missing in the new one, from 0 to 1
 * @param size factor by which the values of the new version may be longer or shorter together; 1 or
 *     more, as the next
 * @param latency factor by which the median read may take longer; under 20 µs it does not matter
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record CanaryPlan(
    double share, int reads, Duration most, double missing, double size, double latency) {
  private static final int MOST_READS = 1_000_000;
  private static final Duration LONGEST = Duration.ofMinutes(20);

  public CanaryPlan {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException(
          "The share of reads of a canary is above 0 and at most 1, not " + share + ".");
    }
    if (reads < 1 || reads > MOST_READS) {
      throw new IllegalArgumentException("A canary compares 1 to " + MOST_READS + " reads.");
    }
    if (most.isNegative() || most.isZero() || most.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("A canary takes at most " + LONGEST.toMinutes() + " min.");
    }
    if (!(missing >= 0 && missing <= 1) || !(size >= 1) || !(latency >= 1)) {
      throw new IllegalArgumentException(
          "A canary allows a share of missing keys, and factors of 1 or more.");
    }
  }

  /** One key in a hundred may be missing, sizes may double or halve, latency may be three times. */
  public static CanaryPlan of(double share, int reads, Duration most) {
    return new CanaryPlan(share, reads, most, 0.01, 2, 3);
  }
}
