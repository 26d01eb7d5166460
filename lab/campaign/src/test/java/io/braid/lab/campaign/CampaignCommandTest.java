package io.braid.lab.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.braid.cli.Main;
import io.braid.cli.command.ExitCode;
import io.braid.simulation.SimulationOptions;
import io.braid.simulation.SimulationReport;
import io.braid.simulation.campaign.Campaign;
import io.braid.simulation.campaign.OnceFailed;
import io.braid.simulation.cluster.Fault;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Campaigns whose runs are made up, with a script in the place of {@code braid}. */
class CampaignCommandTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The scenario, seed and way to commit of the run that fails. */
  private @Nullable String broken;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir Path dir;

  private SimulationReport madeUp(SimulationOptions options) {
    boolean fails = options.replay().equals(broken);
    return new SimulationReport(
        options,
        options.duration().plusSeconds(1),
        Duration.ofMillis(1),
        1000,
        8,
        Map.of("commits", 10L, "append-ok", 12L, "cell-checks", 300L),
        Map.of(Fault.REFUSED, 2L),
        "",
        "0123456789abcdef",
        fails ? "version 7 went\nmore" : null,
        List.of());
  }

  /** A script that notes how it was called, and what it was told to answer. */
  private Path braid;

  @BeforeEach
  void writeScript() throws IOException {
    braid = dir.resolve("braid");
    script("exit 0");
  }

  private void script(String then) throws IOException {
    Files.writeString(
        braid,
        "#!/bin/sh\necho \"$*\" >> "
            + dir.resolve("calls.txt")
            + "\ncase \"$*\" in\n"
            + "workload*) echo '{\"ok\":100,\"fail\":1,\"info\":2,\"kills\":3}';;\n"
            + "*--help) exit 0;;\n"
            + "'bench fuzz'*) echo '{\"case\":\"http\",\"params\":{\"frames\":500}}';;\n"
            + "'dev-cluster faults'*) echo '{\"ok\":7,\"kinds\":{\"kill_server\":4}}';;\n"
            + "esac\n"
            + then
            + "\n");
    assertThat(braid.toFile().setExecutable(true)).isTrue();
  }

  private List<String> calls() throws IOException {
    Path calls = dir.resolve("calls.txt");
    return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
  }

  private int run(String line) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    List<String> arguments = new ArrayList<>(Arrays.asList(line.split(" ")));
    arguments.addAll(List.of("--dir", campaign().toString()));
    CommandLine whole = Main.commandLine();
    return new CommandLine(new CampaignCommand(this::madeUp, braid))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(whole.getParameterExceptionHandler())
        .setExecutionExceptionHandler(whole.getExecutionExceptionHandler())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments.toArray(String[]::new));
  }

  private Path campaign() {
    return dir.resolve("campaign");
  }

  private List<JsonNode> runs() throws IOException {
    List<JsonNode> runs = new ArrayList<>();
    for (String line : Files.readAllLines(campaign().resolve("runs.jsonl"))) {
      JsonNode node = JSON.readTree(line);
      if (node.has("scenario")) {
        runs.add(node);
      }
    }
    return runs;
  }

  private JsonNode summary() throws IOException {
    return JSON.readTree(Files.readString(campaign().resolve("summary.json")));
  }

  @Test
  void everySeedGoesThroughAllSimulationsAndThenThroughRealProcesses() throws IOException {
    assertThat(run("--hours 1 --minutes 3 --with killed,fuzz,cluster --json")).isZero();

    assertThat(runs()).hasSize(20);
    assertThat(calls())
        .anyMatch(call -> call.startsWith("workload append --protocol omid-fp"))
        .anyMatch(call -> call.startsWith("check "))
        .anyMatch(call -> call.startsWith("bench fuzz --frames 20000 --seed 1"))
        .anyMatch(call -> call.startsWith("dev-cluster faults"))
        .anyMatch(call -> call.startsWith("dev-cluster stop"));
    JsonNode summary = summary();
    assertThat(summary.path("hours").asDouble()).isEqualTo(1);
    assertThat(summary.path("simulated").path("steps").asLong()).isEqualTo(20_000);
    assertThat(summary.path("simulated").path("checks").asLong()).isEqualTo(6_000);
    assertThat(summary.path("faults").path("refused").asLong()).isEqualTo(40);
    assertThat(summary.path("faults").path("slow").isNumber()).as("none is told too").isTrue();
    assertThat(summary.path("real").path("killed").path("kills").asLong()).isEqualTo(3);
    assertThat(summary.path("real").path("fuzz").path("frames").asLong()).isEqualTo(500);
    assertThat(summary.path("real").path("cluster").path("kill_server").asLong()).isEqualTo(4);
    assertThat(JSON.readTree(out.toString()).path("failures").asLong()).isZero();
    assertThat(campaign().resolve("summary.md")).content().contains("| scheduled steps | 20,000 |");
    assertThat(campaign().resolve("failed.txt")).isEmptyFile();
    assertThat(campaign().resolve("work")).isEmptyDirectory();
  }

  @Test
  void campaignThatWasCutOffGoesOnWhereItWas() throws IOException {
    run("--hours 0.5 --minutes 3");
    Path log = campaign().resolve("runs.jsonl");
    List<String> first = Files.readAllLines(log);
    Files.writeString(log, String.join("\n", first) + "\n" + first.get(1).substring(0, 40));
    int before = calls().size();

    assertThat(run("--hours 1.5 --minutes 3")).as(err.toString()).isZero();

    assertThat(Files.readAllLines(log)).startsWith(first.toArray(String[]::new));
    Set<String> different = new TreeSet<>();
    runs()
        .forEach(
            run ->
                different.add("" + run.get("scenario") + run.get("seed") + run.get("one_phase")));
    assertThat(different).hasSameSizeAs(runs()).hasSize(30);
    assertThat(calls().subList(before, calls().size()))
        .as("drills of seed 1 were made already")
        .noneMatch(call -> call.contains("--seed 1 "))
        .anyMatch(call -> call.contains("--seed 2"));
    assertThat(summary().path("sittings")).hasSize(2);
  }

  @Test
  void seedThatFailedIsKeptAsItIsReadAgain() throws IOException {
    broken = "./braid simulate garbage --seed 1 --seconds 180 --one-phase on";

    assertThat(run("--hours 0.5 --minutes 3 --with none")).isEqualTo(ExitCode.FAILED);

    Path failed = campaign().resolve("failed.txt");
    assertThat(failed)
        .hasContent("simulate garbage --seed 1 --seconds 180 --one-phase on  # version 7 went");
    assertThat(OnceFailed.read(failed)).hasSize(1);
    assertThat(summary().path("symptoms").path("version N went").get(0).asText()).isEqualTo(broken);
    assertThat(err.toString()).contains("Replay it with").contains(broken);
  }

  @Test
  void runsThatFailedOnceComeFirst() throws IOException {
    Path failed = dir.resolve("failed.txt");
    Files.writeString(
        failed, "# a remark\nsimulate omid --seed 99 --seconds 5 --one-phase off  # it broke\n");

    assertThat(run("--hours 0 --with none --again " + failed)).as(err.toString()).isZero();

    assertThat(runs()).hasSize(1);
    assertThat(runs().get(0).path("seed").asLong()).isEqualTo(99);
  }

  @Test
  void drillThatFindsSomethingIsAFailureAndItsFilesStay() throws IOException {
    script("case \"$*\" in check*) echo 'two readers saw different orders' >&2; exit 1;; esac");

    assertThat(run("--hours 0.01 --minutes 3 --with killed")).isEqualTo(ExitCode.FAILED);

    assertThat(summary().path("real").path("killed").path("failed").asLong()).isEqualTo(1);
    assertThat(out.toString())
        .contains("two readers saw different orders")
        .contains("&& ./braid check");
    assertThat(campaign().resolve("work").resolve("killed-1")).isNotEmptyDirectory();
    assertThat(OnceFailed.read(campaign().resolve("failed.txt")))
        .as("drills are remarks")
        .isEmpty();
  }

  @Test
  void drillThatCannotBeMadeIsNoFailureOfWhatIsTested() throws IOException {
    script("case \"$*\" in 'dev-cluster start'*) echo 'no room' >&2; exit 4;; esac");

    assertThat(run("--hours 0.01 --minutes 3 --with cluster")).isEqualTo(ExitCode.FAILED);

    assertThat(err.toString()).contains("could not be made").contains("no room");
    assertThat(summary().path("failures").asLong()).isZero();
    assertThat(summary().path("real").has("cluster")).isFalse();
    script("exit 0");
    assertThat(run("--hours 0.06 --minutes 3 --with cluster")).as("gone on with").isZero();
    assertThat(summary().path("real").path("cluster").path("drills").asLong()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--hours -1",
        "--hours NaN",
        "--hours many",
        "--minutes 0",
        "--jobs 0",
        "--with paint",
        "--with none,fuzz",
        "--again absent.txt",
      })
  void wrongUsageRunsNothing(String line) throws IOException {
    assertThat(run(line)).isEqualTo(ExitCode.USAGE);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString()).isNotBlank().doesNotContain("\tat ");
    assertThat(campaign()).doesNotExist();
    assertThat(calls()).isEmpty();
  }

  @Test
  void fileThatIsNoLogOfACampaignStaysAsItIs() throws IOException {
    Files.createDirectories(campaign());
    Path log = campaign().resolve("runs.jsonl");
    Files.writeString(log, "something else\n");

    assertThat(run("--hours 1")).isEqualTo(ExitCode.USAGE);

    assertThat(err.toString()).contains("line 1").doesNotContain("\tat ");
    assertThat(log).hasContent("something else\n");
    assertThat(calls()).isEmpty();
  }

  @Test
  void twoCampaignsDoNotShareADirectory() throws IOException {
    Files.createDirectories(campaign());
    try (CampaignLog first =
        CampaignLog.open(campaign().resolve("runs.jsonl"), new CampaignResult(new Campaign()))) {
      assertThat(first).isNotNull();
      assertThat(run("--hours 1")).isEqualTo(ExitCode.USAGE);
    }
    assertThat(err.toString()).contains("Another campaign");
  }
}
