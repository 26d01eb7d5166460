package io.braid.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.simulation.cluster.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulationTest {
  private static SimulationOptions options(long seed) {
    return SimulationOptions.of(Scenarios.PERCOLATOR, seed).duration(Duration.ofSeconds(10));
  }

  @Test
  void sameSeedSameRun() {
    List<String> first = new ArrayList<>();
    List<String> second = new ArrayList<>();
    SimulationReport one = Simulation.run(options(3).printer(first::add));
    SimulationReport two = Simulation.run(options(3).printer(second::add));
    assertThat(second).isEqualTo(first);
    assertThat(two.traceHash()).isEqualTo(one.traceHash());
    assertThat(two.operations()).isEqualTo(one.operations());
    assertThat(two.faults()).isEqualTo(one.faults());
  }

  @Test
  void anotherSeedOrAnotherSettingIsAnotherRun() {
    String hash = Simulation.run(options(3)).traceHash();
    assertThat(Simulation.run(options(4)).traceHash()).isNotEqualTo(hash);
    assertThat(Simulation.run(options(3).onePhase(true)).traceHash()).isNotEqualTo(hash);
  }

  /** A campaign in small: whatever goes wrong, what clients see is snapshot isolation. */
  @Test
  void transactionsKeepTheirPromisesWhateverGoesWrong() {
    Campaign campaign =
        Campaign.run(
            1,
            30,
            seed -> List.of(options(seed), options(seed).onePhase(true)),
            SimulationTest::mustPass);
    assertThat(campaign.faults()).containsKeys(Fault.values());
    assertThat(campaign.operations().get("commits")).isGreaterThan(3000);
  }

  /** Faults 29 to 32 and 35: chains of observers in processes that die. */
  @Test
  void observersFollowEachChangeOnceWhateverGoesWrong() {
    Campaign campaign =
        Campaign.run(
            1,
            10,
            seed -> List.of(observers(seed), observers(seed).onePhase(true)),
            SimulationTest::mustPass);
    assertThat(campaign.operations().get("changes-ok")).isGreaterThan(500);
  }

  private static SimulationOptions observers(long seed) {
    return SimulationOptions.of(Scenarios.OBSERVERS, seed).duration(Duration.ofSeconds(10));
  }

  private static void mustPass(SimulationReport report) {
    assertThat(report.passed()).as(report.toText()).isTrue();
  }

  @Test
  void reportOfAFailureSaysHowToReplayIt() {
    SimulationReport report =
        Simulation.run(
            options(5),
            honest -> new Tampering.Surroundings(honest.store(), new LyingOracle(honest.oracle())));
    assertThat(report.passed()).isFalse();
    assertThat(report.toText())
        .contains("FAILED")
        .contains("./braid simulate percolator --seed 5 --seconds 10 --one-phase off");
  }
}
