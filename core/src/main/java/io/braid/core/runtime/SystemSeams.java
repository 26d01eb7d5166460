package io.braid.core.runtime;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.apiguardian.api.API;

/** The seams of a real process: system clock, platform threads, in-process liveness and locks. */
@API(status = API.Status.EXPERIMENTAL)
public class SystemSeams implements Seams {
  private static final long SHORT = Duration.ofMillis(2).toNanos();

  private final Liveness liveness;
  private final AdvisoryLocks locks;
  private final HintExchange hints;

  public SystemSeams() {
    this(new InProcessLiveness(UUID.randomUUID().toString()), new InProcessLocks());
  }

  public SystemSeams(Liveness liveness, AdvisoryLocks locks) {
    this(liveness, locks, HintExchange.NONE);
  }

  public SystemSeams(Liveness liveness, AdvisoryLocks locks, HintExchange hints) {
    this.liveness = liveness;
    this.locks = locks;
    this.hints = hints;
  }

  @Override
  public long wallMillis() {
    return System.currentTimeMillis();
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public RandomGenerator random() {
    return ThreadLocalRandom.current();
  }

  /**
   * Thread.sleep takes whole milliseconds, rounded up: shorter times are waited for in another way.
   */
  @Override
  public void sleep(Duration duration) {
    long nanos = duration.toNanos();
    if (nanos < SHORT) {
      long end = System.nanoTime() + nanos;
      for (long left = nanos;
          left > 0 && !Thread.currentThread().isInterrupted();
          left = end - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      return;
    }
    try {
      TimeUnit.NANOSECONDS.sleep(nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public Task start(String name, Runnable body) {
    ThreadTask task = new ThreadTask();
    Thread thread = new Thread(() -> task.run(body), name);
    thread.setDaemon(true);
    task.thread = thread;
    thread.start();
    return task;
  }

  @Override
  public Signal signal() {
    return new SemaphoreSignal();
  }

  @Override
  public Liveness liveness() {
    return liveness;
  }

  @Override
  public AdvisoryLocks locks() {
    return locks;
  }

  @Override
  public HintExchange hints() {
    return hints;
  }

  private static final class ThreadTask implements Task {
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean stopRequested;
    private Thread thread = Thread.currentThread();

    private void run(Runnable body) {
      try {
        body.run();
      } finally {
        ended.countDown();
      }
    }

    @Override
    public void stop() {
      stopRequested = true;
      thread.interrupt();
    }

    @Override
    public boolean stopRequested() {
      return stopRequested;
    }

    @Override
    public boolean join(Duration timeout) {
      try {
        return ended.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }

  private static final class SemaphoreSignal implements Signal {
    private final Semaphore permits = new Semaphore(0);

    @Override
    public void raise() {
      if (permits.availablePermits() == 0) {
        permits.release();
      }
    }

    @Override
    public boolean await(Duration timeout) {
      try {
        return permits.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }

  /** One process, one token: a token of another process is that of a dead one. */
  private record InProcessLiveness(String token) implements Liveness {
    @Override
    public boolean isAlive(String other) {
      return token.equals(other);
    }
  }

  private static final class InProcessLocks implements AdvisoryLocks {
    private final ConcurrentHashMap<String, String> owners = new ConcurrentHashMap<>();

    @Override
    public boolean tryLock(String name, String owner) {
      return owners.putIfAbsent(name, owner) == null;
    }

    @Override
    public void unlock(String name, String owner) {
      owners.remove(name, owner);
    }
  }
}
