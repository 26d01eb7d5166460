package io.braid.lab.campaign;

import io.braid.simulation.SimulationOptions;
import io.braid.simulation.SimulationReport;
import io.braid.simulation.campaign.Tally;
import java.time.Duration;
import java.util.Map;
import java.util.SortedSet;
import java.util.stream.Stream;

/**
 * The results of the runs of one scenario with one way to commit and one working time.
 *
 * @param onePhase whether transactions commit in one step where they can
 * @param seconds how long clients worked in each run
 * @param seeds as {@link SeedRanges} writes them
 * @param transactions the transactions and snapshots of clients, with any outcome
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

  /** Returns the command of each run, which identifies the run. */
  Stream<String> replays() {
    SimulationOptions any =
        SimulationOptions.of(scenario, 0).duration(Duration.ofSeconds(seconds)).onePhase(onePhase);
    return seedSet().stream().map(seed -> any.seed(seed).replay());
  }
}
