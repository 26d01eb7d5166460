package io.braid.simulation;

import io.braid.core.protocol.Retries;
import io.braid.omid.OmidOptions;
import io.braid.simulation.schedule.SimRandom;
import java.time.Duration;

/**
 * The choices of a seed for Omid.
 *
 * @param cells how many cells the conflict map of the manager holds
 * @param watermark how far behind now the low watermark is raised; zero if it is never raised
 */
record OmidSettings(OmidOptions options, int cells, Duration watermark) {

  /** In half of the runs that may commit in one phase, transactions of Omid do so too. */
  static OmidSettings drawn(SimRandom random, Settings general, SimulationOptions run) {
    OmidOptions options =
        OmidOptions.defaults()
            .onePhase(run.onePhase() && run.seed() % 4 < 2)
            .durability(general.transactions().durability())
            .smallValueBytes(general.transactions().smallValueBytes())
            .maxAge(Duration.ofMinutes(2))
            .grace(
                new OmidOptions.Grace(
                    Duration.ofMillis(pick(random, 0, 5, 20, 500)),
                    Duration.ofMillis(pick(random, 0, 1000, 10_000))))
            .retries(
                new Retries(
                    10,
                    Duration.ofMillis(2),
                    Duration.ofMillis(100),
                    1 + random.nextInt(6),
                    Duration.ofMillis(5)))
            .duties(
                new OmidOptions.Duties(
                    Duration.ofMillis(500 + random.nextInt(5000)), pick(random, 0, 8, 10_000)));
    return new OmidSettings(
        options, pick(random, 8, 64, 4096), Duration.ofMillis(pick(random, 0, 0, 500, 5000)));
  }

  private static int pick(SimRandom random, int... choices) {
    return choices[random.nextInt(choices.length)];
  }

  /** Returns the options of visiting processes, which grant no waiting time to other processes. */
  OmidOptions quiet() {
    return options
        .grace(new OmidOptions.Grace(Duration.ZERO, Duration.ZERO))
        .duties(new OmidOptions.Duties(Duration.ofSeconds(1), 100));
  }

  @Override
  public String toString() {
    return "readers grant "
        + options.grace().reader().toMillis()
        + " ms, a conflict map of "
        + cells
        + " cells, "
        + options.retries().storeAttempts()
        + " attempts, sweeps every "
        + options.duties().sweepInterval().toMillis()
        + " ms, queue of "
        + options.duties().postCommitQueue()
        + (options.onePhase() ? ", one-phase commits" : "")
        + (watermark.isZero() ? "" : ", low watermark " + watermark.toMillis() + " ms behind");
  }
}
