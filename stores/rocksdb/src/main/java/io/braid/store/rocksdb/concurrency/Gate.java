package io.braid.store.rocksdb.concurrency;

import io.braid.core.store.TabletUnavailableException;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Supplier;

/**
 * Lets calls pass side by side and keeps them out while the store closes, drops a table, raises an
 * epoch or ingests: native objects go only when no call can touch them.
 *
 * <p>A lock with many readers' doors: a call enters by the door of its thread, so that calls on
 * different cores do not meet on one counter. A call that wants to be alone closes every door.
 * Doors are always closed in the same order, and no thread enters twice, so there is no deadlock.
 */
public final class Gate {
  private static final int DOORS = 32;
  // Neighbouring doors would share a cache line: only every eighth place is used.
  private static final int SPACING = 8;

  private final StampedLock[] doors = new StampedLock[DOORS * SPACING];
  private volatile boolean closed;

  public Gate() {
    for (int i = 0; i < doors.length; i++) {
      doors[i] = new StampedLock();
    }
  }

  /**
   * Enters. The caller passes the returned stamp to {@link #leave} on the same thread.
   *
   * @throws TabletUnavailableException when the store is closed
   */
  public long enter() {
    StampedLock door = door();
    long stamp = door.readLock();
    if (closed) {
      door.unlockRead(stamp);
      throw closedException();
    }
    return stamp;
  }

  /** Enters even when the store is closed; for those who only let go of what they hold. */
  public long enterAlways() {
    return door().readLock();
  }

  public void leave(long stamp) {
    door().unlockRead(stamp);
  }

  /** Runs alone: after all calls that entered have left, before any other enters. */
  public <T> T alone(Supplier<T> action) {
    long[] stamps = shut();
    try {
      if (closed) {
        throw closedException();
      }
      return action.get();
    } finally {
      open(stamps);
    }
  }

  /**
   * Runs the action alone and lets no call in afterwards; returns false when the gate was closed
   * before.
   */
  public boolean close(Runnable action) {
    long[] stamps = shut();
    try {
      if (closed) {
        return false;
      }
      closed = true;
      action.run();
      return true;
    } finally {
      open(stamps);
    }
  }

  public boolean isClosed() {
    return closed;
  }

  public static TabletUnavailableException closedException() {
    return new TabletUnavailableException("The store is closed. Open it again.");
  }

  private StampedLock door() {
    long id = Thread.currentThread().getId();
    return doors[(int) (id & (DOORS - 1)) * SPACING];
  }

  private long[] shut() {
    long[] stamps = new long[DOORS];
    for (int i = 0; i < DOORS; i++) {
      stamps[i] = doors[i * SPACING].writeLock();
    }
    return stamps;
  }

  private void open(long[] stamps) {
    for (int i = 0; i < DOORS; i++) {
      doors[i * SPACING].unlockWrite(stamps[i]);
    }
  }
}
