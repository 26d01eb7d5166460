package io.braid.testkit.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Bodies that run at once on threads of their own. Those given to {@link #once} run once; those
 * given to {@link #meanwhile} are repeated until the others have ended, and run at least once. The
 * first failure ends the race and is thrown.
 */
final class Race {
  private static final int PATIENCE_SECONDS = 120;

  interface Body {
    void run() throws Exception;
  }

  private final List<Body> once = new ArrayList<>();
  private final List<Body> meanwhile = new ArrayList<>();
  private final AtomicBoolean over = new AtomicBoolean();

  Race once(Body body) {
    once.add(body);
    return this;
  }

  Race meanwhile(Body body) {
    meanwhile.add(body);
    return this;
  }

  /** Starts all of them together and waits for all of them. */
  void run() throws Exception {
    ExecutorService threads =
        Executors.newFixedThreadPool(once.size() + meanwhile.size(), Race::daemon);
    CountDownLatch running = new CountDownLatch(once.size());
    List<Future<?>> ends = new ArrayList<>();
    try {
      for (Body body : meanwhile) {
        ends.add(threads.submit(() -> repeat(body)));
      }
      for (Body body : once) {
        ends.add(threads.submit(() -> runOnce(body, running)));
      }
      for (Future<?> end : ends) {
        await(end);
      }
    } finally {
      over.set(true);
      threads.shutdownNow();
    }
  }

  private static Thread daemon(Runnable body) {
    Thread thread = new Thread(body, "race");
    thread.setDaemon(true);
    return thread;
  }

  private Void repeat(Body body) throws Exception {
    try {
      do {
        body.run();
      } while (!over.get());
      return null;
    } finally {
      over.set(true);
    }
  }

  private Void runOnce(Body body, CountDownLatch running) throws Exception {
    try {
      body.run();
      return null;
    } finally {
      running.countDown();
      if (running.getCount() == 0) {
        over.set(true);
      }
    }
  }

  private static void await(Future<?> end) throws Exception {
    try {
      end.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e;
    } catch (TimeoutException e) {
      throw new AssertionError("Not ended after " + PATIENCE_SECONDS + " seconds.", e);
    }
  }
}
