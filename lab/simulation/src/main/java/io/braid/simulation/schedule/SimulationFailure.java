package io.braid.simulation.schedule;

import org.jspecify.annotations.Nullable;

/** A simulated run went wrong: a defect of the code under test, or of the simulation. */
public final class SimulationFailure extends RuntimeException {
  public SimulationFailure(String message) {
    super(message);
  }

  public SimulationFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
