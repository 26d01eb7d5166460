package io.braid.simulation;

import io.braid.simulation.cluster.Tampering;
import io.braid.simulation.schedule.SimRandom;
import io.braid.simulation.schedule.SimScheduler;
import io.braid.simulation.schedule.SimulationFailure;
import io.braid.simulation.schedule.Trace;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Runs a scenario as its seed says. */
public final class Simulation {
  private static final Duration STALL = Duration.ofSeconds(60);

  private Simulation() {}

  public static SimulationReport run(SimulationOptions options) {
    return run(options, Tampering.NONE);
  }

  /**
   * Runs like {@link #run(SimulationOptions)}, with a watcher.
   *
   * @param clock takes the simulated nanoseconds since the beginning whenever they grow, in a
   *     thread of the run
   */
  public static SimulationReport watched(SimulationOptions options, LongConsumer clock) {
    return run(options, Tampering.NONE, clock);
  }

  /**
   * Runs like {@link #run(SimulationOptions)}, with something planted between processes and store.
   */
  public static SimulationReport run(SimulationOptions options, Tampering tampering) {
    return run(options, tampering, nanos -> {});
  }

  private static SimulationReport run(
      SimulationOptions options, Tampering tampering, LongConsumer clock) {
    long began = System.nanoTime();
    Trace trace = new Trace(options.printer());
    SimScheduler scheduler = new SimScheduler(new SimRandom(options.seed()), trace);
    scheduler.watchedBy(clock);
    // Each scenario, with or without one-phase commit, is a run of its own.
    trace.add(0, options.scenario(), String.valueOf(options.onePhase()), options.seed());
    Scenarios.Run run = Scenarios.begin(options, tampering, scheduler);
    String failure = null;
    List<String> details = new ArrayList<>();
    try {
      scheduler.run(run.world().cluster().keeper(), "run", STALL, run.scenario()::run);
      List<String> wrong = run.scenario().judge();
      failure = wrong.isEmpty() ? null : String.join("\n", wrong);
    } catch (SimulationFailure e) {
      failure = String.valueOf(e.getMessage());
      details.addAll(trace.tail());
      details.addAll(causes(e.getCause()));
    } finally {
      run.world().files().close();
    }
    return new SimulationReport(
        options,
        Duration.ofNanos(scheduler.now()),
        Duration.ofNanos(System.nanoTime() - began),
        scheduler.choices(),
        run.scenario().tablets(),
        run.scenario().operations(),
        run.world().faults().counts(),
        run.scenario().settings(),
        trace.hash(),
        failure,
        details);
  }

  private static List<String> causes(@Nullable Throwable cause) {
    if (cause == null) {
      return List.of();
    }
    StringWriter text = new StringWriter();
    cause.printStackTrace(new PrintWriter(text));
    return text.toString().lines().toList();
  }
}
