package io.braid.simulation.schedule;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sees in real time whether a run goes on; the caller of the run waits here. */
final class Watchdog {
  private static final long LOOK_NANOS = 100_000_000;

  private volatile long choices;
  private volatile boolean finished;
  private volatile @Nullable Thread watcher;

  /** Returns how often a task was chosen to go on. Only the thread that has control counts. */
  long choices() {
    return choices;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread at a time has control
  void chosen() {
    choices++;
  }

  void finished() {
    finished = true;
    LockSupport.unpark(watcher);
  }

  /**
   * Waits for the end of the run. Time in which this process was stopped, or the machine slept,
   * does not count: between two looks no more passes than twice the pause.
   *
   * @param stuck what to throw when one task keeps control for so long
   */
  void watch(long stallNanos, Supplier<SimulationFailure> stuck) {
    watcher = Thread.currentThread();
    long seen = -1;
    long stalled = 0;
    long last = System.nanoTime();
    while (!finished) {
      LockSupport.parkNanos(this, LOOK_NANOS);
      long now = System.nanoTime();
      stalled += Math.min(now - last, 2 * LOOK_NANOS);
      last = now;
      if (choices != seen) {
        seen = choices;
        stalled = 0;
      } else if (stalled > stallNanos) {
        throw stuck.get();
      }
    }
  }
}
