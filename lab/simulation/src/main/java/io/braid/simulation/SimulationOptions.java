package io.braid.simulation;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The simulation to run.
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

  private static final Pattern REPLAY =
      Pattern.compile(
          "(?:\\./)?(?:braid )?simulate ([a-z-]+) --seed (-?[0-9]{1,19}) --seconds ([0-9]{1,9})"
              + " --one-phase (on|off)");

  /**
   * Returns the run of a command that {@link #replay} returned.
   *
   * @throws IllegalArgumentException when it is no such command, or there is no such scenario
   */
  public static SimulationOptions ofReplay(String command) {
    Matcher replay = REPLAY.matcher(command.strip());
    if (!replay.matches() || !Scenarios.names().contains(replay.group(1))) {
      throw new IllegalArgumentException(
          "This is no run of a simulation: '"
              + command
              + "'. Write 'simulate SCENARIO --seed N --seconds S --one-phase on|off'.");
    }
    return of(replay.group(1), Long.parseLong(replay.group(2)))
        .duration(Duration.ofSeconds(Long.parseLong(replay.group(3))))
        .onePhase(replay.group(4).equals("on"));
  }

  public static SimulationOptions of(String scenario, long seed) {
    return new SimulationOptions(scenario, seed, Duration.ofMinutes(1), false, null);
  }

  public SimulationOptions seed(long value) {
    return new SimulationOptions(scenario, value, duration, onePhase, printer);
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
