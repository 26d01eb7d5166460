package io.braid.lab;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.braid.cli.command.UsageException;
import io.braid.simulation.Scenarios;
import io.braid.simulation.SimulationOptions;
import java.util.List;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;

/** How simulated runs are made. */
public final class RunOptions {
  private static final int MOST_JOBS = 256;

  /** With one-phase commit, without, or one run of each. */
  enum OnePhase {
    ON,
    OFF,
    BOTH
  }

  @Option(
      names = "--one-phase",
      paramLabel = "on|off|both",
      description =
          "Whether transactions commit in one step where they can (default: both, one run of each,"
              + " where there are any).")
  private OnePhase onePhase = OnePhase.BOTH;

  @Option(
      names = "--jobs",
      paramLabel = "J",
      description = "How many runs at once (default: ${DEFAULT-VALUE}).")
  private int jobs = 1;

  public void check() {
    if (jobs < 1 || jobs > MOST_JOBS) {
      throw new UsageException("--jobs takes a number from 1 to " + MOST_JOBS + ".");
    }
  }

  /** How many runs at once. */
  public int jobs() {
    return jobs;
  }

  /** Whether there are two runs of each seed. */
  boolean both() {
    return onePhase == OnePhase.BOTH;
  }

  /** The runs of a seed; two where they differ. */
  public List<SimulationOptions> of(SimulationOptions options) {
    return switch (onePhase) {
      case OFF -> List.of(options.onePhase(false));
      case ON -> List.of(options.onePhase(true));
      case BOTH ->
          Scenarios.commits(options.scenario())
              ? List.of(options.onePhase(false), options.onePhase(true))
              : List.of(options.onePhase(false));
    };
  }

  /** The code under test warns of what the simulation does to it all the time. */
  public static void quietLogs() {
    if (System.getenv("BRAID_LOG") == null
        && LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME) instanceof Logger root) {
      root.setLevel(Level.OFF);
    }
  }
}
