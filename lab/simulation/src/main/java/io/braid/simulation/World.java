package io.braid.simulation;

import io.braid.simulation.cluster.Faults;
import io.braid.simulation.cluster.SimCluster;
import io.braid.simulation.cluster.Tampering;
import io.braid.simulation.probe.ProtocolProbe;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.schedule.SimScheduler;
import io.braid.testkit.MemoryStore;

/** The parts of one run. */
record World(
    SimulationOptions options,
    Tampering tampering,
    SimScheduler scheduler,
    SimRandom random,
    Faults faults,
    MemoryStore memory,
    ProtocolProbe probe,
    SimCluster cluster,
    RunFiles files) {

  /** How many tablets a table has; none while there is no such table. */
  int tablets(String table) {
    return memory.table(table).isPresent() ? memory.tablets(table).size() : 0;
  }
}
