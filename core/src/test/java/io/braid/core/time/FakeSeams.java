package io.braid.core.time;

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

/** Clocks that stand still until they are moved; sleeping moves them. */
final class FakeSeams implements Seams {
  private final SystemSeams real = new SystemSeams();
  private final RandomGenerator random;
  final AtomicLong wall;
  final AtomicLong nanos = new AtomicLong(77);

  FakeSeams(long wallMillis, long seed) {
    wall = new AtomicLong(wallMillis);
    random = new SplittableRandom(seed);
  }

  void pass(Duration duration) {
    wall.addAndGet(duration.toMillis());
    nanos.addAndGet(duration.toNanos());
  }

  @Override
  public long wallMillis() {
    return wall.get();
  }

  @Override
  public long nanoTime() {
    return nanos.get();
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  @Override
  public void sleep(Duration duration) {
    pass(duration);
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
