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
import java.util.List;
import java.util.random.RandomGenerator;

/** The surroundings of a simulated process. */
final class SimSeams implements Seams {
  /**
   * When simulations begin, by the wall clock of the process whose clock is right; the seed says on
   * which of these days. Seconds after the second one timestamps get a digit more, seconds after
   * the third one seconds do not fit 32 bits any more, and after 2089 there are no timestamps.
   */
  private static final List<Instant> DAYS =
      List.of(
          Instant.parse("2026-03-01T00:00:00Z"),
          Instant.parse("2027-07-22T11:22:50Z"),
          Instant.parse("2038-01-19T03:14:00Z"),
          Instant.parse("2089-01-01T00:00:00Z"));

  private final SimScheduler scheduler;
  private final SimProcess process;
  private final SimRandom random;
  private final LockService.View lockService;
  private final long nanoTimeOffset;
  private final long firstMillis;

  SimSeams(
      SimScheduler scheduler, SimProcess process, SimRandom random, LockService.View lockService) {
    this.scheduler = scheduler;
    this.process = process;
    this.random = random;
    this.lockService = lockService;
    this.nanoTimeOffset = random.nextLong(1L << 50);
    this.firstMillis = DAYS.get(scheduler.oneOf(DAYS.size())).toEpochMilli();
  }

  @Override
  public long wallMillis() {
    return firstMillis + scheduler.now() / 1_000_000 + process.clockOffsetMillis();
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
