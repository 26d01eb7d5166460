package io.braid.simulation.scope;

import io.braid.testkit.MemoryOptions;

/** A small case whose every order of steps is explored. */
public interface SmallScope {
  /** Returns a description of the scope, in words. */
  String name();

  /** The store that it uses. */
  MemoryOptions store();

  /** How many processes may die, each at any step. */
  int crashes();

  /** How many processes may be taken for dead at any step, and go on. */
  default int mistakes() {
    return 0;
  }

  /** How many answers of the store may be lost, of any steps that change something. */
  int losses();

  /**
   * Makes the tables, starts the processes, waits for them and judges.
   *
   * @throws io.braid.simulation.schedule.SimulationFailure when something came that must not
   */
  void play(ScopeWorld world);
}
