package io.braid.simulation.planted;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.simulation.Scenarios;
import io.braid.simulation.Simulation;
import io.braid.simulation.SimulationOptions;
import io.braid.simulation.SimulationReport;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Faults 36 to 40 with the log in a folder that all nodes reach: a leader that was taken for dead
 * finds it sealed, and who comes next has all that was acknowledged.
 */
class SharedLogTest {
  private static final int SEEDS = Integer.getInteger("braid.seeds", 12);
  private static final long FIRST = Long.getLong("braid.seed", 1);

  @Test
  void groupsAreTakenOverWithTheirLogsWhateverGoesWrong() {
    SharedLog logs = new SharedLog();
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      logs.clear();
      SimulationOptions options =
          SimulationOptions.of(Scenarios.GROUP_NODES, seed).duration(Duration.ofSeconds(10));
      SimulationReport report = Simulation.run(options, logs);
      assertThat(report.passed()).as(report.toText()).isTrue();
    }
    assertThat(logs.takeovers()).isPositive();
  }
}
