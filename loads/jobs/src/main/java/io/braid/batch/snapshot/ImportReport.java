package io.braid.batch.snapshot;

import org.apiguardian.api.API;

/**
 * The result of the imports of a load.
 *
 * @param algorithm its name on the command line
 * @param snapshots files that the tasks wrote
 * @param imports of snapshots, one or several merged
 * @param largestMerge snapshots that were imported together at most
 * @param firstImportMillis from the beginning of the run until the first import was done; negative
 *     when there was none
 * @param longestPauseMillis the longest time that others had to wait for an import or for the
 *     commit
 * @param duplicates records left out because a later one had their key
 */
@API(status = API.Status.EXPERIMENTAL)
public record ImportReport(
    String algorithm,
    long snapshots,
    long imports,
    int largestMerge,
    double firstImportMillis,
    double longestPauseMillis,
    long duplicates) {
  /** The same, with the pause of the commit. */
  public ImportReport withPause(double millis) {
    return new ImportReport(
        algorithm,
        snapshots,
        imports,
        largestMerge,
        firstImportMillis,
        Math.max(longestPauseMillis, millis),
        duplicates);
  }
}
