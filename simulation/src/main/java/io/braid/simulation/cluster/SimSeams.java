package io.braid.simulation.cluster;

import io.braid.core.runtime.AdvisoryLocks;
import io.braid.core.runtime.Liveness;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.runtime.Task;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.schedule.SimScheduler;
import io.braid.simulation.schedule.SimSignal;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/** What a simulated process gets from its surroundings. */
final class SimSeams implements Seams {
  /** When simulations begin, by the wall clock of the process whose clock is right. */
  static final long FIRST_MILLIS = Instant.parse("2026-03-01T00:00:00Z").toEpochMilli();

  private final SimScheduler scheduler;
  private final SimProcess process;
  private final SimRandom random;
  private final LockService.View lockService;
  private final long nanoTimeOffset;

  SimSeams(
      SimScheduler scheduler, SimProcess process, SimRandom random, LockService.View lockService) {
    this.scheduler = scheduler;
    this.process = process;
    this.random = random;
    this.lockService = lockService;
    this.nanoTimeOffset = random.nextLong(1L << 50);
  }

  @Override
  public long wallMillis() {
    return FIRST_MILLIS + scheduler.now() / 1_000_000 + process.clockOffsetMillis();
  }

  @Override
  public long nanoTime() {
    return nanoTimeOffset + scheduler.now();
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  @Override
  public void sleep(Duration duration) {
    scheduler.park("sleep", duration, true);
  }

  @Override
  public Task start(String name, Runnable body) {
    scheduler.checkAlive();
    return scheduler.spawn(process, name, body);
  }

  @Override
  public Signal signal() {
    return new SimSignal(scheduler);
  }

  @Override
  public Liveness liveness() {
    return lockService;
  }

  @Override
  public AdvisoryLocks locks() {
    return lockService;
  }
}
