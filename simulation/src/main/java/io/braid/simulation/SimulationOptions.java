package io.braid.simulation;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What to simulate.
 *
 * @param scenario see {@link Scenarios}
 * @param duration how long clients work, in simulated time
 * @param onePhase whether transactions commit in one step where they can
 * @param printer takes every event as a line; null for none
 */
public record SimulationOptions(
    String scenario,
    long seed,
    Duration duration,
    boolean onePhase,
    @Nullable Consumer<String> printer) {

  public static SimulationOptions of(String scenario, long seed) {
    return new SimulationOptions(scenario, seed, Duration.ofMinutes(1), false, null);
  }

  public SimulationOptions duration(Duration value) {
    return new SimulationOptions(scenario, seed, value, onePhase, printer);
  }

  public SimulationOptions onePhase(boolean value) {
    return new SimulationOptions(scenario, seed, duration, value, printer);
  }

  public SimulationOptions printer(Consumer<String> value) {
    return new SimulationOptions(scenario, seed, duration, onePhase, value);
  }

  /** The command that runs exactly this again. */
  public String replay() {
    return "./braid simulate "
        + scenario
        + " --seed "
        + seed
        + " --seconds "
        + duration.toSeconds()
        + " --one-phase "
        + (onePhase ? "on" : "off");
  }
}
