package io.braid.simulation.schedule;

/** The home of tasks: a simulated process, which may die or stall. */
public interface Host {
  String name();

  /** Whether it has crashed: then its tasks end at their next call of the scheduler. */
  boolean isDead();

  /** The simulated time before which none of its tasks runs. */
  long pausedUntil();
}
