package io.braid.simulation.scope;

import io.braid.core.runtime.AdvisoryLocks;
import io.braid.core.runtime.Liveness;
import io.braid.core.runtime.Seams;
import io.braid.core.runtime.Signal;
import io.braid.core.runtime.Task;
import io.braid.simulation.schedule.Host;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.schedule.SimSignal;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * A process of a small scope. It has one task, and all that it knows follows from the answers that
 * it got: its clock moves with its own pauses only, and its duties never run. So two orders of
 * steps with the same answers leave the process in the same state.
 */
final class ScopeProcess implements Host, Seams, Liveness, AdvisoryLocks {
  private static final long BEGIN = Instant.parse("2026-03-01T00:00:00Z").toEpochMilli();

  private final String name;
  private final ScopeWorld world;
  private final SimRandom random;
  private long nanos;
  private long seen;
  private boolean dead;
  private boolean mistaken;
  private boolean asleep;
  private boolean woken;
  private boolean atStep;
  private boolean mayLose;
  private boolean ended;

  ScopeProcess(String name, ScopeWorld world) {
    this.name = name;
    this.world = world;
    this.random = new SimRandom(name.hashCode());
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isDead() {
    return dead;
  }

  @Override
  public long pausedUntil() {
    return 0;
  }

  void die() {
    dead = true;
  }

  /** It is taken for dead, and goes on. */
  void takenForDead() {
    mistaken = true;
  }

  boolean isTakenForDead() {
    return dead || mistaken;
  }

  /**
   * Wakes the process after a change, at most once. A process that is woken may go on at any time.
   * If it sleeps again, it waits until no other process can go on: looking repeatedly leads nowhere
   * new.
   *
   * @return whether it may go on
   */
  boolean wakes() {
    if (woken) {
      return false;
    }
    woken = true;
    return true;
  }

  void wake() {
    asleep = false;
  }

  void end() {
    ended = true;
  }

  boolean hasEnded() {
    return ended || dead;
  }

  /** Returns whether the process goes on before all others, because its next action is no step. */
  boolean isCertain() {
    return dead || !atStep;
  }

  /**
   * It is about to do a step.
   *
   * @param mayLose whether the answer may be lost
   */
  void comesToStep(boolean mayLose) {
    atStep = true;
    this.mayLose = mayLose;
  }

  /** It does the step. */
  void leavesStep() {
    atStep = false;
  }

  boolean mayLose() {
    return mayLose;
  }

  /** Remembers that it was answered something. */
  void saw(String what, String answer) {
    seen = Digest.of(seen, what, answer);
  }

  /** All that decides what it does from now on. */
  String state() {
    return name + (dead ? " dead" : mistaken ? " mistaken " : " ") + asleep + woken + seen;
  }

  @Override
  public long wallMillis() {
    return BEGIN + nanos / 1_000_000;
  }

  @Override
  public long nanoTime() {
    return nanos;
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  /** Sleeps until something has changed ({@link #wakes}), or until no other process can go on. */
  @Override
  public void sleep(Duration duration) {
    nanos += duration.toNanos();
    saw("sleep", "");
    asleep = true;
    world.sleep();
  }

  /** Never runs the duty: processes that need its work do the work themselves. */
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
    return new SimSignal(world.scheduler());
  }

  @Override
  public Liveness liveness() {
    return this;
  }

  @Override
  public String token() {
    return name;
  }

  @Override
  public boolean isAlive(String token) {
    return world.step("is " + token + " alive", false, () -> !world.isTakenForDead(token));
  }

  @Override
  public AdvisoryLocks locks() {
    return this;
  }

  @Override
  public boolean tryLock(String name, String owner) {
    return true;
  }

  @Override
  public void unlock(String name, String owner) {}

  @Override
  public String toString() {
    return name;
  }
}
