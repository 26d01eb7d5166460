package io.braid.lab.campaign;

import io.braid.simulation.SimulationReport;

/** Takes what is in the log of a campaign, in its order. */
interface LogEntries {
  /** What comes next was run in this sitting. */
  void add(Sitting sitting);

  void add(SimulationReport run);

  void add(RealRun drill);
}
