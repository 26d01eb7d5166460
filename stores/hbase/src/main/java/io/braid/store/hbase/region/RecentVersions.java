package io.braid.store.hbase.region;

import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The highest versions that this process has written lately, for all columns of all its regions, in
 * fixed memory. Several columns may share a number by chance; then each of them counts as written
 * up to the highest version of all. A number only rises, and rises before the version is written.
 */
final class RecentVersions {
  private static final int BITS = 20;

  private final AtomicLongArray highest = new AtomicLongArray(1 << BITS);

  /** A version of a column is about to be written. */
  void raise(long region, Row row, ColumnName column, long version) {
    highest.accumulateAndGet(place(region, row, column), version, Math::max);
  }

  /** False when this process has written no version of the column above this one. */
  boolean mayHaveAbove(long region, Row row, ColumnName column, long version) {
    return highest.get(place(region, row, column)) > version;
  }

  private static int place(long region, Row row, ColumnName column) {
    long mixed = region;
    for (int part :
        new int[] {
          row.key().hashCode(), column.family().hashCode(), column.qualifier().hashCode()
        }) {
      mixed = (mixed ^ part) * 0x9E3779B97F4A7C15L;
      mixed ^= mixed >>> 32;
    }
    return (int) ((mixed * 0xBF58476D1CE4E5B9L) >>> (Long.SIZE - BITS));
  }
}
