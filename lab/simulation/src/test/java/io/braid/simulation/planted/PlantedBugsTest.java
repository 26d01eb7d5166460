package io.braid.simulation.planted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.braid.simulation.Simulation;
import io.braid.simulation.SimulationOptions;
import io.braid.simulation.SimulationReport;
import io.braid.simulation.cluster.Tampering;
import io.braid.testkit.checker.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every planted bug is found as soon as {@code docs/planted-bugs.md} says; nothing else is. */
class PlantedBugsTest {
  private static final int HONEST_RUNS = 4;
  private static final Duration SIMULATED = Duration.ofSeconds(10);
  private static final Path PAGE = Path.of("../../docs/planted-bugs.md");

  @Test
  void withoutABugEveryHistoryIsValid() {
    for (long seed = 1; seed <= HONEST_RUNS; seed++) {
      for (Verdict verdict : JudgedRun.of(seed, Tampering.NONE)) {
        assertThat(verdict.valid()).as("seed %s: %s", seed, verdict.toText()).isTrue();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void checkerFindsItInWhatClientsSaw(PlantedBug bug) {
    assumeTrue(bug.isForWorkloads());
    List<String> found = new ArrayList<>();
    for (long seed = 1; found.isEmpty() && seed <= bug.seedsForWorkloads; seed++) {
      for (Verdict verdict : JudgedRun.of(seed, bug.tampering)) {
        found.addAll(verdict.found().keySet());
      }
    }
    assertThat(found).as(bug.text).containsAnyElementsOf(bug.anomalies);
  }

  /**
   * The seed that found it last time comes first, which spares the runs before it; only when the
   * protocols or the simulation have changed so that it finds nothing any more, the others follow.
   */
  @ParameterizedTest
  @EnumSource
  void simulatorFindsIt(PlantedBug bug) {
    boolean found =
        FoundLast.seed(bug).stream().anyMatch(seed -> finds(bug, seed))
            || LongStream.rangeClosed(1, bug.seedsForSimulator).anyMatch(seed -> finds(bug, seed));
    assertThat(found).as(bug.text).isTrue();
  }

  private static boolean finds(PlantedBug bug, long seed) {
    SimulationOptions options =
        SimulationOptions.of(bug.scenario, seed).duration(SIMULATED).onePhase(seed % 2 == 0);
    SimulationReport report = Simulation.run(options, bug.tampering);
    return !report.passed();
  }

  /** Looks from the first seed on, for {@code -Dbraid.rewrite} only: minutes. */
  @Test
  @EnabledIfSystemProperty(named = "braid.rewrite", matches = ".*")
  void seedsThatFindThemAreNoted() throws IOException {
    Map<PlantedBug, Long> seeds = new EnumMap<>(PlantedBug.class);
    for (PlantedBug bug : PlantedBug.values()) {
      LongStream.rangeClosed(1, bug.seedsForSimulator)
          .filter(seed -> finds(bug, seed))
          .findFirst()
          .ifPresent(seed -> seeds.put(bug, seed));
    }
    FoundLast.write(seeds);
    assertThat(seeds).containsOnlyKeys(PlantedBug.values());
  }

  /** {@code -Dbraid.rewrite} writes the page anew. */
  @Test
  void pageInTheDocsSaysWhatIsTestedHere() throws IOException {
    if (System.getProperty("braid.rewrite") != null) {
      Files.writeString(PAGE, page());
    }
    assertThat(Files.readString(PAGE))
        .as("Write it anew with: mvn test -pl lab/simulation -am -Dbraid.rewrite")
        .isEqualTo(page());
  }

  private static String page() {
    StringBuilder page = new StringBuilder();
    page.append(
        """
        # Planted bugs

        How do we know that the tests would find a bug? We plant some. Each one is put between the transactions
        and their store or oracle, where a real one would do its harm; the code under test has no switches
        for them. They have to be found in two ways, each within a number of runs that was stated beforehand:

        - **by the checker**: the workloads `append`, `bank` and `scan` run on a small simulated cluster, 9 clients and
          %d transactions each, while processes crash, stand still and lose answers, and the store loses what was
          not synced. `HistoryChecker` judges what the clients saw, and nothing else. Odd seeds commit in two phases,
          even ones in one where they can.
        - **by the simulator**: `./braid simulate percolator`, %d simulated seconds a run, which also watches the cells
          (another scenario where the table says so). What the workloads never do, such as collecting garbage, only it can find.

        `PlantedBugsTest` tests it with the seeds from 1 on, and that without a bug nothing is found; it also
        writes this page. For the simulator it tries the seed first that found the bug when the page was written.

        | planted bug | what is done wrong | checker: within runs | reported as one of | simulator: within runs |
        |---|---|---|---|---|
        """
            .formatted(JudgedRun.TRANSACTIONS, SIMULATED.toSeconds()));
    for (PlantedBug bug : PlantedBug.values()) {
      page.append(
          "| %s | %s | %s | %s | %d%s |\n"
              .formatted(
                  bug.text,
                  bug.change,
                  bug.isForWorkloads() ? bug.seedsForWorkloads : "",
                  bug.isForWorkloads() ? "`" + String.join("`, `", bug.anomalies) + "`" : "",
                  bug.seedsForSimulator,
                  bug.scenario.equals("percolator") ? "" : " of `" + bug.scenario + "`"));
    }
    page.append("\n[Checking histories](checking.md) tells what the anomalies are.\n");
    return page.toString();
  }
}
