package io.braid.store.rocksdb;

import io.braid.core.data.Row;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Locks of rows, many rows to a stripe, and a stamp for each stripe by which readers see whether a
 * row changed while they read it without a lock.
 *
 * <p>All stripes of a call are locked in ascending order, so calls do not deadlock. A writer makes
 * the stamps of its stripes odd before its writes can be seen and even again when all of them can.
 * A reader that finds the same even stamp before and after its reads saw every family of the row as
 * of one instant, because nothing in the row changed in between.
 */
final class RowLocks {
  private static final int STRIPES = 1 << 14;

  private final ReentrantLock[] locks = new ReentrantLock[STRIPES];
  private final AtomicLongArray stamps = new AtomicLongArray(STRIPES);

  RowLocks() {
    for (int i = 0; i < STRIPES; i++) {
      locks[i] = new ReentrantLock();
    }
  }

  static int stripe(Row row) {
    return PresenceFilter.spread(row.table().hashCode() * 31 + row.key().hashCode())
        & (STRIPES - 1);
  }

  /** The stripes of the rows, ascending, each once. */
  static int[] stripes(Collection<Row> rows) {
    int[] stripes = new int[rows.size()];
    int count = 0;
    for (Row row : rows) {
      stripes[count++] = stripe(row);
    }
    if (count < 2) {
      return stripes;
    }
    Arrays.sort(stripes);
    int distinct = 1;
    for (int i = 1; i < count; i++) {
      if (stripes[i] != stripes[i - 1]) {
        stripes[distinct++] = stripes[i];
      }
    }
    return Arrays.copyOf(stripes, distinct);
  }

  /**
   * @param stripes ascending, each once
   */
  void lock(int[] stripes) {
    for (int stripe : stripes) {
      locks[stripe].lock();
    }
  }

  void unlock(int[] stripes) {
    for (int stripe : stripes) {
      locks[stripe].unlock();
    }
  }

  /** Whether anybody holds the lock of the row. */
  boolean isLocked(Row row) {
    return locks[stripe(row)].isLocked();
  }

  /** Whether anybody holds the lock of one of the rows. */
  boolean isAnyLocked(List<Row> rows) {
    for (Row row : rows) {
      if (isLocked(row)) {
        return true;
      }
    }
    return false;
  }

  /** Locks a stripe if nobody holds it. */
  boolean tryLock(int stripe) {
    return locks[stripe].tryLock();
  }

  void unlock(int stripe) {
    locks[stripe].unlock();
  }

  /** To be called under the locks, before the writes can be seen. */
  void beginChange(int[] stripes) {
    for (int stripe : stripes) {
      stamps.incrementAndGet(stripe);
    }
  }

  /** To be called under the locks, once all writes can be seen or never will be. */
  void endChange(int[] stripes) {
    for (int stripe : stripes) {
      stamps.incrementAndGet(stripe);
    }
  }

  /** The stamp of a stripe; odd while rows in it change. */
  long stamp(int stripe) {
    return stamps.get(stripe);
  }

  static boolean changing(long stamp) {
    return (stamp & 1) != 0;
  }
}
