package io.braid.lab.campaign;

import io.braid.simulation.SimulationReport;

/** Takes what is in the log of a campaign, in its order. */
interface LogEntries {
  /** Adds a sitting; the entries that follow were run in it. */
  void add(Sitting sitting);

  void add(SimulationReport run);

  void add(RealRun drill);
}
