package io.braid.store.rocksdb;

import io.braid.core.failure.ErrorCode;
import io.braid.core.store.StoreException;
import io.braid.core.store.TabletUnavailableException;
import io.braid.store.rocksdb.concurrency.Gate;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The database while it is open, and the ways to come to it: inside the {@link Gate} beside other
 * calls, alone in it, or outside of it for work that takes long.
 *
 * <p>Locks are taken in one order: that of veiled work, that of long work, the gate.
 */
final class OpenDatabase {
  private final Supplier<Database> opener;
  private final Gate gate = new Gate();

  /**
   * Shared by work that takes long, so that it need not be in the gate; exclusive for calls that
   * let native objects go.
   */
  private final ReadWriteLock longWork = new ReentrantReadWriteLock();

  /** Shared by those who bring in cells under veils. */
  private final ReadWriteLock veiledWork = new ReentrantReadWriteLock();

  // Replaced alone in the gate; null when it could not be opened again.
  private volatile @Nullable Database database;

  /** Why it is another process's. */
  private volatile @Nullable String taken;

  OpenDatabase(Supplier<Database> opener) {
    this.opener = opener;
    this.database = opener.get();
  }

  Gate gate() {
    return gate;
  }

  /** For who has entered the gate, or has the lock of long work. */
  Database current() {
    requireOwn();
    Database open = database;
    if (open == null) {
      throw new TabletUnavailableException(
          "The disk was full, and the data cannot be opened again yet: see the log of this"
              + " process, which tells how much room is needed.");
    }
    return open;
  }

  private void requireOwn() {
    String owner = taken;
    if (owner != null) {
      throw new StoreException(
          ErrorCode.LOCKED, owner + " Close it, and open it again when that one has ended.");
    }
  }

  <T> T inside(Function<Database, T> call) {
    long stamp = gate.enter();
    try {
      return call.apply(current());
    } finally {
      gate.leave(stamp);
    }
  }

  void change(Consumer<Database> call) {
    long stamp = gate.enter();
    try {
      call.accept(current());
    } finally {
      gate.leave(stamp);
    }
  }

  void alone(Consumer<Database> call) {
    gate.alone(
        () -> {
          call.accept(current());
          return true;
        });
  }

  /** Runs beside all calls, those that want to be alone too. */
  <T> T besideAll(Function<Database, T> work) {
    return locked(
        longWork.readLock(),
        () -> {
          if (gate.isClosed()) {
            throw Gate.closedException();
          }
          return work.apply(current());
        });
  }

  /** As {@link #besideAll}, for work without a result. */
  void takingLong(Consumer<Database> work) {
    besideAll(
        db -> {
          work.accept(db);
          return true;
        });
  }

  /** As {@link #besideAll}, but for those who lift or discard a veil. */
  <T> T besideVeiled(Function<Database, T> work) {
    return locked(veiledWork.readLock(), () -> besideAll(work));
  }

  /** Runs alone, and while no call brings in cells under veils. */
  <T> T afterVeiled(Function<Database, T> call) {
    return locked(veiledWork.writeLock(), () -> gate.alone(() -> call.apply(current())));
  }

  /** Runs alone, and while no long work goes on. */
  void afterLongWork(Consumer<Database> call) {
    locked(
        longWork.writeLock(),
        () -> {
          alone(call);
          return true;
        });
  }

  /** Opens it again, after a trouble with the disk. */
  void reopen(Runnable then) {
    locked(
        longWork.writeLock(),
        () ->
            gate.alone(
                () -> {
                  requireOwn();
                  Database before = database;
                  database = null;
                  if (before != null) {
                    before.close();
                  }
                  database = opener.get();
                  then.run();
                  return true;
                }));
  }

  /**
   * Abandons the data when another process has taken the directory: no call reaches the data any
   * more, not even to close it.
   */
  void abandon(String why) {
    taken = why;
    locked(
        longWork.readLock(),
        () -> {
          Database open = database;
          if (open != null) {
            open.engine.disown();
          }
          return true;
        });
  }

  /** Waits for the calls in flight, then closes it; false when that happened before. */
  boolean close(Consumer<Database> last) {
    return locked(
        longWork.writeLock(),
        () ->
            gate.close(
                () -> {
                  Database open = database;
                  database = null;
                  if (open != null && taken == null) {
                    last.accept(open);
                    open.close();
                  }
                }));
  }

  private static <T> T locked(Lock lock, Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }
}
