package io.braid.simulation.serving;

import io.braid.core.runtime.AdvisoryLocks;
import io.braid.core.runtime.Liveness;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.runtime.Task;
import io.braid.simulation.schedule.Host;
import io.braid.simulation.schedule.SimScheduler;
import io.braid.simulation.schedule.SimSignal;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Simulated time, threads and randomness. Serving needs no locks, and no liveness of processes.
 *
 * @param ahead how many milliseconds the wall clock is ahead
 * @param pace how many times as fast the monotonic clock runs
 */
public record SmallSeams(
    SimScheduler scheduler, Host host, RandomGenerator random, LongSupplier ahead, long pace)
    implements Seams {
  private static final long BEGUN = Duration.ofDays(10_000).toMillis();

  /** With a clock that is right. */
  public SmallSeams(SimScheduler scheduler, Host host, RandomGenerator random) {
    this(scheduler, host, random, () -> 0, 1);
  }

  @Override
  public long wallMillis() {
    return BEGUN + scheduler.now() / 1_000_000 + ahead.getAsLong();
  }

  @Override
  public long nanoTime() {
    return scheduler.now() * pace;
  }

  @Override
  public void sleep(Duration duration) {
    scheduler.park("sleep", duration, true);
  }

  @Override
  public Task start(String name, Runnable body) {
    return scheduler.spawn(host, name, body);
  }

  @Override
  public Signal signal() {
    return new SimSignal(scheduler);
  }

  @Override
  public Liveness liveness() {
    throw new UnsupportedOperationException();
  }

  @Override
  public AdvisoryLocks locks() {
    throw new UnsupportedOperationException();
  }
}
