package io.braid.simulation.cluster;

import io.braid.core.runtime.Seams;
import io.braid.simulation.schedule.Host;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.schedule.SimScheduler;
import java.time.Duration;

/**
 * A simulated process. It may crash at any call of a server, or in the middle of one; then all its
 * tasks end there, and nothing they still try has an effect outside. It may stand still for a while
 * without noticing, its wall clock may be wrong and step, and it may be cut off from the store.
 */
public final class SimProcess implements Host {
  /** How long a call takes, roughly: crashes and pauses fall into its middle. */
  private static final long CALL_NANOS = Duration.ofMillis(2).toNanos();

  private static final long MEAN_PAUSE_NANOS = Duration.ofSeconds(4).toNanos();
  private static final long MEAN_CUT_NANOS = Duration.ofSeconds(2).toNanos();
  private static final long SMALL_STEP_MILLIS = 200;
  private static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();

  private final String name;
  private final SimScheduler scheduler;
  private final Faults faults;
  private final SimSeams seams;
  private final boolean mortal;
  private Runnable afterDeath = () -> {};
  private long clockOffsetMillis;
  private boolean dead;
  private long diedAt;
  private long pausedAt;
  private long pausedUntil;
  private long cutOffUntil;

  /**
   * @param mortal whether faults may hit it
   */
  SimProcess(
      String name, SimScheduler scheduler, Faults faults, LockService locks, boolean mortal) {
    this.name = name;
    this.scheduler = scheduler;
    this.faults = faults;
    this.mortal = mortal;
    SimRandom random = scheduler.random().split();
    this.clockOffsetMillis = mortal ? random.nextLong(-SMALL_STEP_MILLIS, SMALL_STEP_MILLIS) : 0;
    this.seams = new SimSeams(scheduler, this, random, locks.join(this));
  }

  @Override
  public String name() {
    return name;
  }

  public Seams seams() {
    return seams;
  }

  @Override
  public boolean isDead() {
    return dead;
  }

  long diedAt() {
    return diedAt;
  }

  @Override
  public long pausedUntil() {
    return pausedUntil;
  }

  /** When the pause began that it is in; only while it is paused. */
  long pausedAt() {
    return pausedAt;
  }

  boolean isPaused() {
    return pausedUntil > scheduler.now();
  }

  boolean isCutOff() {
    return cutOffUntil > scheduler.now();
  }

  long clockOffsetMillis() {
    return clockOffsetMillis;
  }

  /** Runs {@code action} once, between tasks, when it has died. */
  public void afterDeath(Runnable action) {
    afterDeath = action;
  }

  /** Starts a task in it. */
  public void start(String task, Runnable body) {
    scheduler.spawn(this, task, body);
  }

  /** Dies; does nothing when it is dead. */
  public void crash() {
    if (!dead) {
      dead = true;
      diedAt = scheduler.now();
      scheduler.trace().add(scheduler.now(), name, "crashes", 0);
      scheduler.wakeAll(this);
      scheduler.after(0, afterDeath);
    }
  }

  /** Stands still for a while. */
  public void pause(long nanos) {
    if (!isPaused()) {
      pausedAt = scheduler.now();
    }
    pausedUntil = Math.max(pausedUntil, scheduler.now() + nanos);
    scheduler.trace().add(scheduler.now(), name, "stands still", nanos);
  }

  /** Moves its wall clock. */
  public void stepClock(long millis) {
    clockOffsetMillis += millis;
    scheduler.trace().add(scheduler.now(), name, "clock steps", millis);
  }

  /** Begins a call of a server: the occasion for faults of a process. */
  void callBegins() {
    scheduler.checkAlive();
    if (!mortal) {
      return;
    }
    if (faults.strikes(Fault.PROCESS_CRASHED)) {
      crashSoon();
    }
    if (faults.strikes(Fault.PROCESS_PAUSED)) {
      long length = faults.random().around(MEAN_PAUSE_NANOS);
      scheduler.after(faults.random().around(CALL_NANOS), () -> pause(length));
    }
    if (faults.strikes(Fault.CLOCK_STEPPED)) {
      stepClock(drawStep());
    }
    if (faults.strikes(Fault.CUT_OFF)) {
      cutOffUntil = scheduler.now() + faults.random().around(MEAN_CUT_NANOS);
    }
    scheduler.checkAlive();
  }

  private void crashSoon() {
    if (faults.random().chance(0.3)) {
      crash();
    } else {
      scheduler.after(faults.random().around(CALL_NANOS), this::crash);
    }
  }

  private long drawStep() {
    SimRandom random = faults.random();
    long reach = random.chance(0.2) ? HOUR_MILLIS : SMALL_STEP_MILLIS;
    return random.nextLong(-reach, reach);
  }

  @Override
  public String toString() {
    return name;
  }
}
