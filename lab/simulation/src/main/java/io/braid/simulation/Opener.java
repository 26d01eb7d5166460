package io.braid.simulation;

import io.braid.simulation.cluster.SimProcess;

/** Opens the database of a scenario in processes; called by a task of each. */
interface Opener {
  /** Opens a node for a process that serves clients. */
  Node open(SimProcess process);

  /** Opens a node for a process that visits, when nothing goes wrong. */
  Node visit(SimProcess process);

  /** Opens a node for a process that cleans up after all others. */
  Node sweep(SimProcess process);
}
