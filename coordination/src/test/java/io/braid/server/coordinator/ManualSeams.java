package io.braid.server.coordinator;

import io.braid.core.runtime.AdvisoryLocks;
import io.braid.core.runtime.Liveness;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.runtime.Task;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** A monotonic clock that runs as fast as it is told to, beside one that all share. */
class ManualSeams implements Seams {
  private final SystemSeams real = new SystemSeams();
  private final AtomicLong shared;
  private final double pace;
  private final RandomGenerator random;

  ManualSeams(AtomicLong shared, double pace, long seed) {
    this.shared = shared;
    this.pace = pace;
    this.random = new SplittableRandom(seed);
  }

  @Override
  public long wallMillis() {
    return 1_800_000_000_000L + random.nextLong(1_000_000_000);
  }

  @Override
  public long nanoTime() {
    return Long.MAX_VALUE - 5_000_000_000L + (long) (shared.get() * pace);
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  @Override
  public void sleep(Duration duration) {
    shared.addAndGet(duration.toNanos());
  }

  @Override
  public Task start(String name, Runnable body) {
    return real.start(name, body);
  }

  @Override
  public Signal signal() {
    return real.signal();
  }

  @Override
  public Liveness liveness() {
    return real.liveness();
  }

  @Override
  public AdvisoryLocks locks() {
    return real.locks();
  }
}
