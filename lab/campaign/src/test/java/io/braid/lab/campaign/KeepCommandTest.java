package io.braid.lab.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.braid.cli.Main;
import io.braid.cli.command.ExitCode;
import io.braid.simulation.SimulationOptions;
import io.braid.simulation.SimulationReport;
import io.braid.simulation.campaign.RecordedRun;
import io.braid.simulation.cluster.Fault;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Campaigns whose logs are made up. */
class KeepCommandTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir Path dir;

  private Path kept() {
    return dir.resolve("kept");
  }

  private int keep(String... campaigns) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    List<String> arguments = new ArrayList<>(List.of("campaign", "keep", "--json"));
    for (String each : campaigns) {
      arguments.add(dir.resolve(each).toString());
    }
    arguments.addAll(List.of("--into", kept().toString()));
    return Main.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments.toArray(String[]::new));
  }

  private void log(String campaign, String... lines) throws IOException {
    Path folder = Files.createDirectories(dir.resolve(campaign));
    Files.writeString(folder.resolve("runs.jsonl"), String.join("\n", lines) + "\n");
  }

  private static String sitting(String code, int hour) {
    return "{\"sitting\":\"2026-01-02T0"
        + hour
        + ":00:00Z\",\"code\":\""
        + code
        + "\",\"java\":\"25\",\"cores\":2}";
  }

  private static String run(String scenario, long seed, @Nullable String failure) {
    return RecordedRun.toLine(
        new SimulationReport(
            SimulationOptions.of(scenario, seed).duration(Duration.ofMinutes(3)),
            Duration.ofMinutes(4),
            Duration.ofMillis(1),
            1000,
            8,
            Map.of("commits", 10L, "append-ok", 12L, "cell-checks", 300L),
            Map.of(Fault.REFUSED, 2L),
            "",
            "0123456789abcdef",
            failure,
            List.of()));
  }

  private JsonNode sum() throws IOException {
    return JSON.readTree(out.toString());
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(kept())) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void runsOfEachCommitAreKeptAndAddedUp() throws IOException {
    log(
        "first",
        sitting("aaa", 1),
        run("omid", 1, null),
        run("omid", 2, "version 7 went\nmore"),
        sitting("bbb", 2),
        run("omid", 3, null),
        "{\"part\":\"fuzz\",\"seed\":1,\"real_s\":2.0,\"counts\":{\"frames\":500},"
            + "\"commands\":[\"./braid bench fuzz\"],\"passed\":true}");
    log("second", sitting("bbb", 3), run("omid", 4, null), run("groups", 4, null));

    assertThat(keep("first", "second")).as(err.toString()).isZero();

    assertThat(files())
        .containsExactly(
            "20260102T010000Z-aaa.json",
            "20260102T020000Z-bbb.json",
            "20260102T030000Z-bbb.json",
            "README.md");
    assertThat(sum().path("runs").asLong()).isEqualTo(5);
    assertThat(sum().path("hours").asDouble()).isEqualTo(0.25);
    assertThat(sum().path("steps").asLong()).isEqualTo(5000);
    assertThat(sum().path("checks").asLong()).isEqualTo(1500);
    assertThat(sum().path("faults").path("refused").asLong()).isEqualTo(10);
    assertThat(sum().path("faults").path("slow").isNumber()).as("none is told too").isTrue();
    assertThat(sum().path("failures").asLong()).isEqualTo(1);
    assertThat(kept().resolve("README.md"))
        .content()
        .contains("| aaa | 2026-01-02T01:00:00Z | 25 | 2 | 0.10 | 2,000 | 1 |")
        .contains("simulate omid --seed 2 --seconds 180 --one-phase off` on aaa: version 7 went\n")
        .contains("| fuzz, frames | 500 |");
  }

  @Test
  void noRunIsCountedTwice() throws IOException {
    log("first", sitting("aaa", 1), run("omid", 1, null), run("omid", 2, null));
    keep("first");
    log("again", sitting("bbb", 5), run("omid", 2, null), run("groups", 2, null));

    assertThat(keep("again")).isZero();

    assertThat(sum().path("runs").asLong()).isEqualTo(3);
    assertThat(err.toString()).contains("1 runs").contains("kept already");
  }

  @Test
  void campaignThatHasGoneOnReplacesWhatWasKeptOfIt() throws IOException {
    log("first", sitting("aaa", 1), run("omid", 1, null));
    keep("first");
    log("first", sitting("aaa", 1), run("omid", 1, null), sitting("aaa", 4), run("omid", 2, null));

    assertThat(keep("first")).isZero();

    assertThat(sum().path("runs").asLong()).isEqualTo(2);
    assertThat(files()).hasSize(2);
    assertThat(keep()).as("only writes the page").isZero();
    assertThat(sum().path("runs").asLong()).isEqualTo(2);
  }

  @Test
  void whatIsNoCampaignIsSaidBeforeAnythingIsWritten() throws IOException {
    log("first", sitting("aaa", 1), run("omid", 1, null));
    assertThat(keep("first", "absent")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("absent").doesNotContain("\tat ");
    assertThat(kept()).doesNotExist();

    log("other", "something else");
    assertThat(keep("other")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("line 1").doesNotContain("\tat ");

    Files.createDirectories(kept());
    Files.writeString(kept().resolve("notes.json"), "{\"of\":\"mine\"}");
    assertThat(keep("first")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("notes.json").doesNotContain("\tat ");
  }

  @Test
  void seedsAreWrittenAsRanges() {
    assertThat(SeedRanges.toText(SeedRanges.parse("7,1-3,4,-2--1"))).isEqualTo("-2--1,1-4,7");
  }
}
