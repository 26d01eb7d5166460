package io.braid.simulation.schedule;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A thread that runs one task after another, whenever control is granted to it. */
final class Carrier {
  private final SimScheduler scheduler;
  private final Thread thread;
  private volatile boolean granted;
  private volatile boolean dismissed;
  @Nullable SimTask task;

  Carrier(SimScheduler scheduler, Threads threads, int number) {
    this.scheduler = scheduler;
    this.thread = threads.create("simulated-" + number, this::run);
  }

  void start() {
    thread.start();
  }

  /** Whether the caller runs on it. */
  boolean isCurrent() {
    return thread == Thread.currentThread();
  }

  /** Returns the stack of the thread. */
  StackTraceElement[] stack() {
    return thread.getStackTrace();
  }

  /** Gives it control; it has to be waiting for it, or about to. */
  void grant() {
    granted = true;
    LockSupport.unpark(thread);
  }

  /** Ends it once it waits for control. */
  void dismiss() {
    dismissed = true;
    LockSupport.unpark(thread);
  }

  /**
   * Waits for control; false when there will be none. The flag makes wake-ups for nothing harmless,
   * and gives what the granting thread wrote to this one. Spinning first was never faster with more
   * tasks than cores.
   */
  boolean awaitControl() {
    while (!granted && !dismissed) {
      LockSupport.park(this);
    }
    boolean control = granted;
    granted = false;
    return control;
  }

  private void run() {
    while (awaitControl()) {
      SimTask next = task;
      while (next != null) {
        next.run();
        task = null;
        next = scheduler.ended(next, this);
      }
    }
  }
}
