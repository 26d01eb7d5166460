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
import java.util.random.RandomGenerator;

/** Simulated time, threads and randomness. Serving asks for no locks, and not who is alive. */
public record SmallSeams(SimScheduler scheduler, Host host, RandomGenerator random)
    implements Seams {

  @Override
  public long wallMillis() {
    return 1_000_000 + scheduler.now() / 1_000_000;
  }

  @Override
  public long nanoTime() {
    return scheduler.now();
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
