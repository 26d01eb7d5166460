package io.braid.lab.campaign;

import io.braid.simulation.SimulationOptions;
import io.braid.simulation.SimulationReport;
import io.braid.simulation.Tally;
import java.time.Duration;
import java.util.Map;
import java.util.SortedSet;
import java.util.stream.Stream;

/**
 * What the runs of one scenario came to that committed in one way and worked for one time.
 *
 * @param onePhase whether transactions commit in one step where they can
 * @param seconds how long clients worked in each run
 * @param seeds as {@link SeedRanges} writes them
 * @param transactions of clients, and snapshots, that ended in whichever way
 * @param checks how often something was held against what must be
 */
record KeptTally(
    String scenario,
    boolean onePhase,
    long seconds,
    String seeds,
    long steps,
    long transactions,
    long commits,
    long checks,
    Map<String, Long> faults) {

  static KeptTally of(Tally tally, long seconds, SortedSet<Long> seeds) {
    return new KeptTally(
        tally.scenario(),
        tally.onePhase(),
        seconds,
        SeedRanges.toText(seeds),
        tally.steps(),
        tally.transactions(),
        tally.operation("commits"),
        tally.checks(),
        SimulationReport.named(tally.faults()));
  }

  private SortedSet<Long> seedSet() {
    return SeedRanges.parse(seeds);
  }

  long runs() {
    return seedSet().size();
  }

  double hours() {
    return runs() * seconds / 3600.0;
  }

  /** The command of each run, which tells it from all others. */
  Stream<String> replays() {
    SimulationOptions any =
        SimulationOptions.of(scenario, 0).duration(Duration.ofSeconds(seconds)).onePhase(onePhase);
    return seedSet().stream().map(seed -> any.seed(seed).replay());
  }
}
