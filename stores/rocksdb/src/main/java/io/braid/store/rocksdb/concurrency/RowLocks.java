package io.braid.store.rocksdb.concurrency;

import io.braid.core.data.Row;
import io.braid.store.rocksdb.engine.Keys;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Locks of rows, many rows to a stripe, and a stamp for each stripe by which readers see whether a
 * row changed while they read it without a lock.
 *
 * <p>All stripes of a call are locked in ascending order, so calls do not deadlock. A writer makes
 * the stamps of its stripes odd before its writes can be seen and even again when all of them can.
 * A reader that finds the same even stamp before and after its reads saw every family of the row as
 * of one instant, because nothing in the row changed in between.
 *
 * <p>Lock and stamp are one word, because a writer pays for every place of memory that it looks at,
 * and as a rule no other thread wants the stripe. A thread that has to wait queues for the {@link
 * Turn} of the stripe. Only the first thread of the queue waits for the word. It marks the word, so
 * that the holder wakes it up. A thread cannot take a lock twice.
 */
public final class RowLocks {
  private static final int STRIPES = 1 << 14;
  private static final long LOCKED = 1;
  // A thread waits for the holder to let go; only while LOCKED.
  private static final long AWAITED = 2;
  private static final long ONE_CHANGE = 4;
  private static final int STAMP_SHIFT = 2;

  // Stamp, AWAITED, LOCKED. Only the holder changes the stamp, and takes LOCKED away.
  private final AtomicLongArray words = new AtomicLongArray(STRIPES);
  // Null where no thread ever had to wait.
  private final AtomicReferenceArray<@Nullable Turn> turns = new AtomicReferenceArray<>(STRIPES);

  /** Those who wait for a stripe. */
  private static final class Turn extends ReentrantLock {
    private static final long serialVersionUID = 1;

    // The thread that holds this lock and waits for the word; null when there is none.
    private transient volatile @Nullable Thread first;
  }

  public static int stripe(Row row) {
    return Keys.spread(row.table().hashCode() * 31 + row.key().hashCode()) & (STRIPES - 1);
  }

  /** The stripes of the rows, ascending, each once. */
  public static int[] stripes(Collection<Row> rows) {
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
  public void lock(int[] stripes) {
    for (int stripe : stripes) {
      if (!tryLock(stripe)) {
        await(stripe);
      }
    }
  }

  public void unlock(int[] stripes) {
    for (int stripe : stripes) {
      unlock(stripe);
    }
  }

  /** Returns whether the lock of the row is held. */
  public boolean isLocked(Row row) {
    return (words.get(stripe(row)) & LOCKED) != 0;
  }

  /** Returns whether the lock of one of the rows is held. */
  public boolean isAnyLocked(List<Row> rows) {
    for (Row row : rows) {
      if (isLocked(row)) {
        return true;
      }
    }
    return false;
  }

  /** Locks a stripe if no thread holds it. */
  public boolean tryLock(int stripe) {
    long word = words.get(stripe);
    return (word & LOCKED) == 0 && words.compareAndSet(stripe, word, word | LOCKED);
  }

  public void unlock(int stripe) {
    long word = words.get(stripe);
    while (!words.compareAndSet(stripe, word, word & ~(LOCKED | AWAITED))) {
      word = words.get(stripe);
    }
    if ((word & AWAITED) != 0) {
      // The thread that marked the word was first before. If another thread is first by now, that
      // one looks once too often.
      LockSupport.unpark(turn(stripe).first);
    }
  }

  private void await(int stripe) {
    Turn turn = turn(stripe);
    boolean interrupted = false;
    turn.lock();
    try {
      turn.first = Thread.currentThread();
      while (!lockOrMark(stripe)) {
        LockSupport.park(turn);
        interrupted |= Thread.interrupted();
      }
    } finally {
      turn.first = null;
      turn.unlock();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Locks the stripe, or else marks it as awaited. */
  private boolean lockOrMark(int stripe) {
    while (true) {
      long word = words.get(stripe);
      if ((word & LOCKED) == 0) {
        if (words.compareAndSet(stripe, word, word | LOCKED)) {
          return true;
        }
      } else if ((word & AWAITED) != 0 || words.compareAndSet(stripe, word, word | AWAITED)) {
        return false;
      }
    }
  }

  private Turn turn(int stripe) {
    Turn turn = turns.get(stripe);
    if (turn == null) {
      turn = new Turn();
      Turn other = turns.compareAndExchange(stripe, null, turn);
      turn = other == null ? turn : other;
    }
    return turn;
  }

  /** To be called under the locks, before the writes can be seen. */
  public void beginChange(int[] stripes) {
    for (int stripe : stripes) {
      words.addAndGet(stripe, ONE_CHANGE);
    }
  }

  /** To be called under the locks, once all writes can be seen or never will be. */
  public void endChange(int[] stripes) {
    for (int stripe : stripes) {
      words.addAndGet(stripe, ONE_CHANGE);
    }
  }

  /** The stamp of a stripe; odd while rows in it change. */
  public long stamp(int stripe) {
    return words.get(stripe) >>> STAMP_SHIFT;
  }

  public static boolean changing(long stamp) {
    return (stamp & 1) != 0;
  }
}
