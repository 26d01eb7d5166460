package io.braid.testkit.runtime;

import io.braid.core.runtime.AdvisoryLocks;
import io.braid.core.runtime.Liveness;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.runtime.SystemSeams;
import io.braid.core.runtime.Task;
import java.time.Duration;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * The surroundings of one process in a test of one thread. Time passes only in a sleep or when the
 * test says so. Tasks are never run, so duties do nothing by themselves.
 */
public class ManualSeams implements Seams {
  private final Clocks clocks;
  private final String token;
  private final Random random = new Random(1);

  /** Runs at each sleep, before time passes. */
  public Runnable onSleep = () -> {};

  /** How far this process' wall clock is off. */
  public long wallOffsetMillis;

  public ManualSeams(Clocks clocks, String token) {
    this.clocks = clocks;
    this.token = token;
    clocks.alive.add(token);
  }

  @Override
  public long wallMillis() {
    return clocks.wallMillis + wallOffsetMillis;
  }

  @Override
  public long nanoTime() {
    return clocks.nanos;
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  @Override
  public void sleep(Duration duration) {
    onSleep.run();
    clocks.nanos += duration.toNanos();
    clocks.wallMillis += Math.max(1, duration.toMillis());
  }

  @Override
  public Task start(String name, Runnable body) {
    return new Task() {
      @Override
      public void stop() {}

      @Override
      public boolean stopRequested() {
        return false;
      }

      @Override
      public boolean join(Duration timeout) {
        return true;
      }
    };
  }

  @Override
  public Signal signal() {
    return new Signal() {
      @Override
      public void raise() {}

      @Override
      public boolean await(Duration timeout) {
        return false;
      }
    };
  }

  @Override
  public Liveness liveness() {
    return new Liveness() {
      @Override
      public String token() {
        return token;
      }

      @Override
      public boolean isAlive(String other) {
        return clocks.alive.contains(other);
      }
    };
  }

  @Override
  public AdvisoryLocks locks() {
    return new SystemSeams().locks();
  }
}
