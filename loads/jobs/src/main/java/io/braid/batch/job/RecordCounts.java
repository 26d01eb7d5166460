package io.braid.batch.job;

import org.apiguardian.api.API;

/**
 * Counts of records by their outcome. They add up: {@code read = written + kept + duplicates +
 * rejected + left}.
 *
 * @param written are in the table
 * @param kept left as others wrote them after the load began: every cell of the record
 * @param duplicates skipped, since a later record has their key
 * @param rejected can never be written as they are
 * @param left for retry
 */
@API(status = API.Status.EXPERIMENTAL)
public record RecordCounts(
    long read, long written, long kept, long duplicates, long rejected, long left) {
  public static final RecordCounts EMPTY = new RecordCounts(0, 0, 0, 0, 0, 0);

  public RecordCounts plus(RecordCounts more) {
    return new RecordCounts(
        read + more.read,
        written + more.written,
        kept + more.kept,
        duplicates + more.duplicates,
        rejected + more.rejected,
        left + more.left);
  }

  /**
   * Returns the record counts after another pass over the records that were not written.
   *
   * @param whole whether the pass covers all of them; if not, the others stay left, except those
   *     known to be wrong for good
   */
  public RecordCounts then(RecordCounts retry, boolean whole) {
    long unread = rejected + left - retry.read;
    long stillLeft = whole ? 0 : Math.min(unread, left - (retry.read - retry.rejected));
    stillLeft = Math.max(0, stillLeft);
    return new RecordCounts(
        read,
        written + retry.written,
        kept + retry.kept,
        duplicates + retry.duplicates,
        unread - stillLeft + retry.rejected,
        retry.left + stillLeft);
  }

  /**
   * Returns the record counts after a number of written records gave way to later ones with their
   * key.
   */
  RecordCounts superseded(long more) {
    return new RecordCounts(read, written - more, kept, duplicates + more, rejected, left);
  }

  /**
   * Returns the record counts when a number of records stay as others wrote them; some of these may
   * already be counted as kept.
   */
  RecordCounts keeping(long all) {
    long more = Math.min(written, Math.max(0, all - kept));
    return new RecordCounts(read, written - more, kept + more, duplicates, rejected, left);
  }

  public boolean balanced() {
    return read == written + kept + duplicates + rejected + left;
  }
}
