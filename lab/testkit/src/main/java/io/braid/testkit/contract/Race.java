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
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bodies that run at once on threads of their own. Those given to {@link #rounds} do their rounds;
 * those given to {@link #meanwhile} are repeated until the others have ended. So that the two
 * really meet, however the machine divides its time, rounds are added until everyone had a fair
 * share of turns. The first failure ends the race and is thrown.
 */
final class Race {
  private static final int PATIENCE_SECONDS = 120;
  private static final int FAIR_SHARE = 50;
  private static final int MOST_TIMES_LONGER = 50;
  private static final int TURNS_AT_ONCE = 10_000;
  private static final long LONGEST_NANOS = 15_000_000_000L;

  interface Body {
    void run() throws Exception;
  }

  interface Rounds {
    /**
     * @param round 1 in the first
     */
    void run(int round) throws Exception;
  }

  private record Racer(int least, Rounds rounds) {}

  private final List<Racer> racers = new ArrayList<>();
  private final List<Body> meanwhile = new ArrayList<>();
  private final List<AtomicInteger> turns = new ArrayList<>();
  private final AtomicInteger running = new AtomicInteger();
  private final long began = System.nanoTime();
  private volatile boolean failed;

  /**
   * @param least how many rounds at least
   */
  Race rounds(int least, Rounds rounds) {
    racers.add(new Racer(least, rounds));
    return this;
  }

  Race once(Body body) {
    racers.add(new Racer(0, round -> body.run()));
    return this;
  }

  Race meanwhile(Body body) {
    meanwhile.add(body);
    turns.add(new AtomicInteger());
    return this;
  }

  /**
   * Leaves turns to others. A body that goes on until another one has had its turn calls this:
   * after many turns, it pauses, as locks need not be fair.
   *
   * @param taken how many turns have been taken
   */
  static void leaveTurns(long taken) throws InterruptedException {
    if (taken > TURNS_AT_ONCE) {
      Thread.sleep(1);
    }
  }

  /** Starts all of them together and waits for all of them. */
  void run() throws Exception {
    int all = racers.size() + meanwhile.size();
    ExecutorService threads = Executors.newFixedThreadPool(all, Race::daemon);
    CountDownLatch start = new CountDownLatch(all);
    running.set(racers.size());
    List<Future<?>> ends = new ArrayList<>();
    try {
      for (Racer racer : racers) {
        ends.add(threads.submit(() -> race(racer, start)));
      }
      for (int i = 0; i < meanwhile.size(); i++) {
        Body body = meanwhile.get(i);
        AtomicInteger turn = turns.get(i);
        ends.add(threads.submit(() -> repeat(body, turn, start)));
      }
      for (Future<?> end : ends) {
        await(end);
      }
    } finally {
      failed = true;
      threads.shutdownNow();
    }
  }

  private static Thread daemon(Runnable body) {
    Thread thread = new Thread(body, "race");
    thread.setDaemon(true);
    return thread;
  }

  private Void race(Racer racer, CountDownLatch start) throws Exception {
    start.countDown();
    start.await();
    boolean ended = false;
    try {
      int round = 0;
      do {
        racer.rounds().run(++round);
      } while (!failed && goesOn(round, racer.least()));
      ended = true;
      return null;
    } finally {
      failed |= !ended;
      running.decrementAndGet();
    }
  }

  private boolean goesOn(int round, int least) {
    return round < least
        || (round < least * MOST_TIMES_LONGER
            && System.nanoTime() - began < LONGEST_NANOS
            && turns.stream().anyMatch(turn -> turn.get() < FAIR_SHARE));
  }

  private Void repeat(Body body, AtomicInteger turn, CountDownLatch start) throws Exception {
    start.countDown();
    start.await();
    boolean ended = false;
    try {
      do {
        body.run();
        turn.incrementAndGet();
      } while (!failed && running.get() > 0);
      ended = true;
      return null;
    } finally {
      failed |= !ended;
    }
  }

  /** A race that does not end breaks no law: it is no {@link AssertionError}. */
  private static void await(Future<?> end) throws Exception {
    try {
      end.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e;
    } catch (TimeoutException e) {
      throw new IllegalStateException("Not ended after " + PATIENCE_SECONDS + " seconds.", e);
    }
  }
}
