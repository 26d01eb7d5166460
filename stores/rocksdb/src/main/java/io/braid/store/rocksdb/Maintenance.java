package io.braid.store.rocksdb;

import io.braid.core.runtime.EnduringLoop;
import io.braid.core.store.TabletUnavailableException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The duty that runs beside the calls: once a second, on a thread of its own. */
final class Maintenance implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Maintenance.class);
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Runnable duty;
  private final Thread thread;
  private final Object monitor = new Object();
  private boolean stopped;

  Maintenance(Runnable duty) {
    this.duty = duty;
    thread = new Thread(EnduringLoop.loop(this::run), "braid-rocksdb-maintenance");
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    while (pause()) {
      try {
        duty.run();
      } catch (TabletUnavailableException e) {
        LOG.debug("The store closes.", e);
      } catch (RuntimeException e) {
        LOG.warn("The maintenance of the store failed; it is tried again.", e);
      }
    }
  }

  /** Waits for the next turn; false when there is none. */
  private boolean pause() {
    long until = System.nanoTime() + PERIOD_NANOS;
    synchronized (monitor) {
      long left = PERIOD_NANOS;
      while (!stopped && left > 0) {
        try {
          TimeUnit.NANOSECONDS.timedWait(monitor, left);
        } catch (InterruptedException e) {
          return false;
        }
        left = until - System.nanoTime();
      }
      return !stopped;
    }
  }

  /** Waits for the turn that runs, and lets none follow. */
  @Override
  public void close() {
    synchronized (monitor) {
      stopped = true;
      monitor.notifyAll();
    }
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
