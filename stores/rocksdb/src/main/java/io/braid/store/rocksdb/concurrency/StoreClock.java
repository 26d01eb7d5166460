package io.braid.store.rocksdb.concurrency;

import io.braid.core.store.TabletClock;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.time.Timestamp;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * The tablet clock of the store, one for all its tablets (Omid, section 4.3).
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>The clock never goes back.
 *   <li><em>Published bound:</em> from before a version is drawn until it is applied, {@code
 *       oldestPending} is at or below it.
 * </ul>
 *
 * <p>A commit draws its version in {@link #next}: it first publishes a bound (the clock and one
 * more, at most what it will draw), then moves the clock to the version. A reader in {@link
 * #awaitSnapshot} first raises the clock to its snapshot S, then looks at the bound.
 *
 * <p>No commit at or below S escapes the reader. Let v be such a version. When the reader's raise
 * is done, the clock is at or above S, and every later move takes it above S. So v was drawn before
 * the raise was done, and its bound was published before that. The reader looks at the bound after
 * the raise: it finds one at or below v, unless v was applied. It then takes the slow path: it
 * waits under the monitor, in which the draw is completed, until nothing at or below S is pending.
 * And a version drawn after the raise lies above S, so nothing appears below S later.
 *
 * <p>A reader of single rows need not wait for commits of others ({@link #awaitSnapshot(long,
 * BooleanSupplier)}). A commit holds the locks of its rows from before it draws until it is
 * applied. So if after the raise no call holds the lock of a row, nothing at or below S is pending
 * there.
 *
 * <p>Versions drawn have local bits; a snapshot of the oracle has none. A draw that would carry
 * into the oracle's bits is refused. So is every draw before {@link #advance} brought the first
 * fresh timestamp: snapshots that were served before the store was opened are not in its data.
 */
public final class StoreClock {
  private static final long NONE = PendingVersions.NONE;

  private final AtomicLong clock = new AtomicLong();
  private final Object monitor = new Object();
  private final PendingVersions pending = new PendingVersions();
  // How many wait under the monitor.
  private int waiting;
  private volatile long oldestPending = NONE;
  private volatile boolean warm;
  // Whether pending versions will not be settled soon; changed under the monitor.
  private volatile boolean stuck;

  /** Draws a version; the caller owes {@link #settle} for it. See {@link TabletClock#next}. */
  public long next(long atLeast) {
    if (!warm) {
      return TabletClock.EXHAUSTED;
    }
    synchronized (monitor) {
      publish(clock.get() + 1);
      while (true) {
        long before = clock.get();
        long base = Math.max(before, atLeast);
        if (Timestamp.local(base + 1) == 0) {
          publish(NONE);
          return TabletClock.EXHAUSTED;
        }
        if (clock.compareAndSet(before, base + 1)) {
          pending.add(base + 1);
          publish(NONE);
          return base + 1;
        }
      }
    }
  }

  /** The version is applied, or never will be. */
  public void settle(long version) {
    synchronized (monitor) {
      pending.remove(version);
      publish(NONE);
      if (waiting > 0) {
        monitor.notifyAll();
      }
    }
  }

  /**
   * Refuses callers that must wait for pending versions, because the fate of these writes is not
   * known; until {@link #unstick}.
   */
  public void stick() {
    synchronized (monitor) {
      stuck = true;
      monitor.notifyAll();
    }
  }

  /**
   * Ends the state of {@link #stick}. The fate of all pending versions is known: none of them adds
   * to the data any more.
   */
  public void unstick() {
    synchronized (monitor) {
      stuck = false;
      pending.clear();
      publish(NONE);
      monitor.notifyAll();
    }
  }

  /**
   * Raises the clock to the snapshot and waits for the commits drawn at or below it.
   *
   * @param snapshot 0 for none
   */
  public void awaitSnapshot(long snapshot) {
    if (snapshot == 0) {
      return;
    }
    raise(snapshot);
    if (oldestPending <= snapshot) {
      awaitPending(snapshot);
    }
  }

  /**
   * Does the same as {@link #awaitSnapshot(long)}, for a caller that reads certain rows only.
   *
   * @param underWay whether anything may be under way in these rows; asked once the clock is raised
   */
  public void awaitSnapshot(long snapshot, BooleanSupplier underWay) {
    if (snapshot == 0) {
      return;
    }
    raise(snapshot);
    // A commit that got stuck has given its locks back: so the locks are looked at first.
    if (oldestPending <= snapshot && (underWay.getAsBoolean() || stuck)) {
      awaitPending(snapshot);
    }
  }

  private void awaitPending(long snapshot) {
    boolean interrupted = false;
    synchronized (monitor) {
      while (pending.first() <= snapshot) {
        if (stuck) {
          throw new TabletUnavailableException(
              "A commit below the snapshot failed and its outcome is not known yet: see the log of"
                  + " the store. Try again when it accepts writes again.");
        }
        waiting++;
        try {
          monitor.wait();
        } catch (InterruptedException e) {
          interrupted = true;
        } finally {
          waiting--;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  public void raise(long version) {
    long before = clock.get();
    while (before < version && !clock.compareAndSet(before, version)) {
      before = clock.get();
    }
  }

  /** Brings a timestamp that the oracle just gave out; see {@code CellStore.advanceClock}. */
  public void advance(long timestamp) {
    raise(timestamp);
    warm = true;
  }

  long value() {
    return clock.get();
  }

  private void publish(long bound) {
    oldestPending = Math.min(bound, pending.first());
  }
}
