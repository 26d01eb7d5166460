package io.braid.simulation.schedule;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A thread that runs one task after another, whenever control is granted to it. */
final class Carrier extends Thread {
  private final SimScheduler scheduler;
  private volatile boolean granted;
  private volatile boolean dismissed;
  @Nullable SimTask task;

  Carrier(SimScheduler scheduler, int number) {
    super("simulated-" + number);
    this.scheduler = scheduler;
    setDaemon(true);
  }

  /** Gives it control; it has to be waiting for it, or about to. */
  void grant() {
    granted = true;
    LockSupport.unpark(this);
  }

  /** Ends it once it waits for control. */
  void dismiss() {
    dismissed = true;
    LockSupport.unpark(this);
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

  @Override
  public void run() {
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
