package io.braid.serving.node;

/**
 * What a canary has seen.
 *
 * @param reads that were compared; 0 when nothing was live to compare with
 * @param found of them in the live version
 * @param missing of those found, in the new version
 * @param size bytes of the values of the new version to those of the live one
 * @param latency the median read of the new version to that of the live one
 */
public record CanaryReport(int reads, int found, int missing, double size, double latency) {
  /** Nothing was live. */
  public static final CanaryReport NOTHING = new CanaryReport(0, 0, 0, 1, 1);
}
