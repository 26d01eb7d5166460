package io.braid.serving.writable;

import io.braid.core.runtime.AdvisoryLocks;
import io.braid.core.runtime.Liveness;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.runtime.Task;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** A real process whose wall clock is wrong, and whose time can be moved on. */
final class SkewedSeams implements Seams {
  private final Seams real = new SystemSeams();
  private Duration ahead;
  private Duration passed = Duration.ZERO;

  /**
   * @param ahead of the right time
   */
  SkewedSeams(Duration ahead) {
    this.ahead = ahead;
  }

  /** Sets the wall clock. */
  void jump(Duration wrong) {
    ahead = wrong;
  }

  /** Time passes. */
  void pass(Duration more) {
    passed = passed.plus(more);
  }

  @Override
  public long wallMillis() {
    return real.wallMillis() + passed.toMillis() + ahead.toMillis();
  }

  @Override
  public long nanoTime() {
    return real.nanoTime() + passed.toNanos();
  }

  @Override
  public RandomGenerator random() {
    return real.random();
  }

  @Override
  public void sleep(Duration duration) {
    real.sleep(duration);
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
