package io.braid.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.braid.cli.CommandRun;
import io.braid.cli.command.ExitCode;
import io.braid.cli.command.Progress;
import io.braid.simulation.Simulation;
import io.braid.simulation.SimulationOptions;
import io.braid.simulation.SimulationReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The simulator from the command line. */
class SimulateCommandTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static List<JsonNode> lines(String text) throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : text.lines().toList()) {
      lines.add(JSON.readTree(line));
    }
    return lines;
  }

  @ParameterizedTest
  @ValueSource(strings = {"percolator", "observers"})
  void runTellsSeedTimeOperationsFaultsAndTrace(String scenario) throws IOException {
    CommandRun run = CommandRun.of("simulate " + scenario + " --seed 2 --seconds 4 --json");

    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.DONE);
    List<JsonNode> runs = lines(run.out());
    assertThat(runs.stream().map(line -> line.get("one_phase").asBoolean()))
        .containsExactly(false, true);
    for (JsonNode each : runs) {
      assertThat(each.get("scenario").asText()).isEqualTo(scenario);
      assertThat(each.get("seed").asLong()).isEqualTo(2);
      assertThat(each.get("simulated_s").asDouble()).isGreaterThan(4);
      assertThat(each.get("tablets").asInt()).isGreaterThanOrEqualTo(8);
      assertThat(each.get("operations").get("commits").asLong()).isPositive();
      assertThat(each.get("faults").size()).isPositive();
      assertThat(each.get("trace_hash").asText()).hasSize(16);
    }
  }

  @Test
  void manySeedsAtOnceEndWithOneSummaryOfSeparateFigures() throws IOException {
    CommandRun run = CommandRun.of("simulate percolator --seeds 5+2 --seconds 3 --jobs 2 --json");

    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.DONE);
    List<JsonNode> lines = lines(run.out());
    assertThat(lines).hasSize(5);
    JsonNode summary = lines.get(4);
    assertThat(summary.get("runs").asLong()).isEqualTo(4);
    assertThat(summary.get("violations").asLong()).isZero();
    assertThat(summary.get("tallies")).hasSize(2);
    assertThat(summary.get("tallies").get(0).get("one_phase").asBoolean()).isFalse();
    assertThat(summary.get("tallies").get(1).get("one_phase").asBoolean()).isTrue();
  }

  @Test
  void failedRunSaysHowToReplayItAndEndsWithOne() {
    StringWriter out = new StringWriter();
    int code =
        new CommandLine(new SimulateCommand((options, clock) -> failed(options)))
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setOut(new PrintWriter(out))
            .execute("percolator", "--seed", "9", "--seconds", "2", "--one-phase", "off");

    assertThat(code).isEqualTo(ExitCode.FAILED);
    assertThat(out.toString())
        .contains("FAILED", "it broke")
        .contains("./braid simulate percolator --seed 9 --seconds 2 --one-phase off");
  }

  @Test
  void howFarRunsAreIsSaidInSimulatedSeconds() {
    StringWriter err = new StringWriter();
    SimulationOptions first = SimulationOptions.of("percolator", 1);
    SimulationOptions second = SimulationOptions.of("percolator", 2);
    try (SimulationProgress progress =
        new SimulationProgress(new Progress(new PrintWriter(err), true), 2, 60)) {
      progress.clockOf(first).accept(30_000_000_000L);
      progress.look();
      progress.ended(first, () -> err.append("a result\n"));
      assertThat(err.toString()).contains("simulated seconds", "30/120", "0 of 2 runs done");
      assertThat(err.toString()).as("on a line of its own").endsWith("\ra result\n");
      progress.clockOf(second).accept(75_000_000_000L);
      progress.look();
    }
    assertThat(err.toString()).contains("120/120", "1 of 2 runs done, coming to rest");
  }

  @Test
  void aRunTellsItsTimeWithoutBecomingAnother() {
    SimulationOptions options =
        SimulationOptions.of("percolator", 3).duration(java.time.Duration.ofSeconds(3));
    List<Long> times = new ArrayList<>();
    SimulationReport watched = Simulation.watched(options, times::add);

    assertThat(times).isSorted().doesNotHaveDuplicates();
    assertThat(times.get(times.size() - 1)).isEqualTo(watched.simulated().toNanos());
    assertThat(watched.traceHash()).isEqualTo(Simulation.run(options).traceHash());
  }

  private static SimulationReport failed(SimulationOptions options) {
    SimulationReport honest = Simulation.run(options);
    return new SimulationReport(
        options,
        honest.simulated(),
        honest.real(),
        honest.steps(),
        honest.tablets(),
        honest.operations(),
        honest.faults(),
        honest.settings(),
        honest.traceHash(),
        "it broke",
        List.of());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "paint",
        "percolator --seeds 1..5",
        "percolator --seeds 1+5 --seed 3",
        "percolator --seed 1 --seconds 0",
        "percolator --seed 1 --jobs 0",
        "percolator --seed 1 --trace t.txt",
      })
  void wrongUsageRunsNothing(String line) {
    CommandRun run = CommandRun.of("simulate " + line);

    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).isNotBlank().doesNotContain("\tat ");
  }

  @Test
  void scopesTellHowManyOrdersThereAre() throws IOException {
    CommandRun run = CommandRun.of("scopes --only fast --json");
    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.DONE);
    List<JsonNode> lines = lines(run.out());
    assertThat(lines).hasSize(2);
    JsonNode line = lines.get(0);
    assertThat(line.get("scope").asText()).isEqualTo("omid, 1 transaction, 1 fast write, 1 crash");
    assertThat(line.get("complete").asBoolean()).isTrue();
    assertThat(line.get("orders").asLong()).isGreaterThan(line.get("states").asLong());

    assertThat(CommandRun.of("scopes --only nothing").code()).isEqualTo(ExitCode.USAGE);
    CommandRun brief = CommandRun.of("scopes --only fast --minutes 0.0001");
    assertThat(brief.code()).isEqualTo(ExitCode.FAILED);
    assertThat(brief.out())
        .startsWith("omid, 1 transaction, 1 fast write, 1 crash: not all orders in this time, ");
  }
}
