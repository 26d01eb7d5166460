package io.braid.batch.job;

/**
 * What became of records. They balance: {@code read = written + kept + duplicates + rejected +
 * left}.
 *
 * @param written stand in the table
 * @param kept left as others wrote them after the load began: every cell of the record
 * @param duplicates passed over, since a later record has their key
 * @param rejected can never be written as they are
 * @param left for retry
 */
public record Books(long read, long written, long kept, long duplicates, long rejected, long left) {
  public static final Books EMPTY = new Books(0, 0, 0, 0, 0, 0);

  public Books plus(Books more) {
    return new Books(
        read + more.read,
        written + more.written,
        kept + more.kept,
        duplicates + more.duplicates,
        rejected + more.rejected,
        left + more.left);
  }

  /**
   * The books after the records that were not written have been gone through once more.
   *
   * @param whole whether all of them have: of the others those that are not known to be wrong for
   *     good stay left
   */
  public Books then(Books retry, boolean whole) {
    long unread = rejected + left - retry.read;
    long stillLeft = whole ? 0 : Math.min(unread, left - (retry.read - retry.rejected));
    stillLeft = Math.max(0, stillLeft);
    return new Books(
        read,
        written + retry.written,
        kept + retry.kept,
        duplicates + retry.duplicates,
        unread - stillLeft + retry.rejected,
        retry.left + stillLeft);
  }

  /** The books after so many records that were written gave way to later ones with their key. */
  Books superseded(long more) {
    return new Books(read, written - more, kept, duplicates + more, rejected, left);
  }

  /**
   * The books when so many records stay as others wrote them; some of these may have been found to
   * do so while they were written.
   */
  Books keeping(long all) {
    long more = Math.min(written, Math.max(0, all - kept));
    return new Books(read, written - more, kept + more, duplicates, rejected, left);
  }

  public boolean balanced() {
    return read == written + kept + duplicates + rejected + left;
  }
}
