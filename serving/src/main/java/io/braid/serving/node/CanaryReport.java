package io.braid.serving.node;

import org.apiguardian.api.API;

/**
 * The result of a canary.
 *
 * @param reads the reads that were compared; 0 when nothing was live to compare with
 * @param found how many of them the live version had
 * @param missing how many of those found were missing in the new version
 * @param size the bytes of the new version's values, divided by those of the live version's values
 * @param latency the median read time of the new version, divided by that of the live version
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public record CanaryReport(int reads, int found, int missing, double size, double latency) {
  /** Nothing was live. */
  public static final CanaryReport NOTHING = new CanaryReport(0, 0, 0, 1, 1);
}
