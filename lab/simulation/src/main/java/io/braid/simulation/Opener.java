package io.braid.simulation;

import io.braid.simulation.cluster.SimProcess;

/** Opens the database of a scenario in processes; called by a task of each. */
interface Opener {
  /** For a process that serves clients. */
  Node open(SimProcess process);

  /** For one that visits, when nothing goes wrong. */
  Node visit(SimProcess process);

  /** For one that cleans up after all others. */
  Node sweep(SimProcess process);
}
