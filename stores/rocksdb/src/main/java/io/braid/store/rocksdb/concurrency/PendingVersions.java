package io.braid.store.rocksdb.concurrency;

import java.util.Arrays;

/**
 * Versions that were drawn and are not applied yet: few, in the order in which they were drawn,
 * which is ascending. For one thread at a time.
 */
final class PendingVersions {
  /** Above every version. */
  static final long NONE = Long.MAX_VALUE;

  private long[] versions = new long[16];
  private int count;

  /**
   * @param version above all that were added before
   */
  void add(long version) {
    if (count == versions.length) {
      versions = Arrays.copyOf(versions, 2 * count);
    }
    versions[count++] = version;
  }

  /** Does nothing when it is not there. */
  void remove(long version) {
    int at = Arrays.binarySearch(versions, 0, count, version);
    if (at >= 0) {
      count--;
      System.arraycopy(versions, at + 1, versions, at, count - at);
    }
  }

  void clear() {
    count = 0;
  }

  /** The lowest; {@link #NONE} when there is none. */
  long first() {
    return count == 0 ? NONE : versions[0];
  }
}
