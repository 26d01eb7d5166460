package io.braid.percolator.garbage;

import java.time.Duration;
import org.apiguardian.api.API;

/**
 * The result of a collection, so far or in the end.
 *
 * @param watermark the low watermark: snapshots below it are refused
 * @param horizon the timestamp whose garbage was collected; the watermark, or below it
 * @param heldBy why the horizon is not higher, in words
 * @param complete whether it came to the end of all tables that it was to go through
 */
@API(status = API.Status.EXPERIMENTAL)
public record CollectionReport(
    boolean dryRun,
    long watermark,
    long horizon,
    String heldBy,
    boolean complete,
    int tablets,
    int tabletsDone,
    Counts counts,
    Duration elapsed) {

  /**
   * The counts of a collection.
   *
   * @param rows rows looked at
   * @param seenBytes bytes of the cells looked at
   * @param superseded values that a newer one hides
   * @param deletes deletions that mask nothing
   * @param locks records of locks
   * @param marks rollback marks
   * @param large values stored apart, among the superseded
   * @param bytes bytes of the cells removed, large values not counted
   * @param skipped rows that could not be collected now: held, or not answered
   */
  public record Counts(
      long rows,
      long seenBytes,
      long superseded,
      long deletes,
      long locks,
      long marks,
      long large,
      long bytes,
      long skipped) {
    static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** All cells removed, large values not counted. */
    public long removed() {
      return superseded + deletes + locks + marks;
    }

    Counts plus(Counts more) {
      return new Counts(
          rows + more.rows,
          seenBytes + more.seenBytes,
          superseded + more.superseded,
          deletes + more.deletes,
          locks + more.locks,
          marks + more.marks,
          large + more.large,
          bytes + more.bytes,
          skipped + more.skipped);
    }

    /** Returns the same counts without the row, which is counted already. */
    Counts rowless() {
      return new Counts(0, seenBytes, superseded, deletes, locks, marks, large, bytes, skipped);
    }

    Counts withSkipped(long rows) {
      return new Counts(
          this.rows, seenBytes, superseded, deletes, locks, marks, large, bytes, skipped + rows);
    }
  }
}
