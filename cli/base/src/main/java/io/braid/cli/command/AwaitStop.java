package io.braid.cli.command;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a server run until a signal to the process, or an interrupt of its thread, ends the server.
 * The process waits until this object is closed, and then ends with the server's exit code.
 *
 * <p>A server in which a thread died because memory had run out no longer works, although it looks
 * alive. Its process ends at once, so that the server is started again. Acknowledged data is kept.
 */
public final class AwaitStop implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 120;

  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread hook = new Thread(this::end);
  private volatile int code = ExitCode.DONE;

  public AwaitStop() {
    Runtime.getRuntime().addShutdownHook(hook);
    Thread.setDefaultUncaughtExceptionHandler(AwaitStop::died);
  }

  private static void died(Thread thread, Throwable why) {
    try {
      System.err.println("braid: thread " + thread.getName() + " died: " + why);
    } finally { // to say so takes memory, too
      if (why instanceof VirtualMachineError) {
        Runtime.getRuntime().halt(ExitCode.START_AGAIN);
      }
    }
    why.printStackTrace();
  }

  /** Runs when the process is to end. */
  private void end() {
    stop.countDown();
    try {
      if (closed.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        Runtime.getRuntime().halt(code);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until the server is to end. */
  public void await() {
    try {
      stop.await();
    } catch (InterruptedException e) {
      // The interrupt asks for the end.
    }
  }

  /** Waits until the server is to end, or for a time. Returns whether the server is to end. */
  public boolean await(Duration most) {
    try {
      return stop.await(most.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      return true;
    }
  }

  /** Says how the process is to end. */
  public int ended(int exitCode) {
    code = exitCode;
    return exitCode;
  }

  @Override
  public void close() {
    Thread.setDefaultUncaughtExceptionHandler(null);
    if (stop.getCount() > 0) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The process is ending anyway.
      }
    }
    closed.countDown();
  }
}
