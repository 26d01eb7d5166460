package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.braid.cli.command.ExitCode;
import io.braid.testkit.history.HistoryEntry;
import io.braid.testkit.history.HistoryReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Workloads in this process, and the judgement of histories. */
class WorkloadCommandTest {
  @TempDir Path dir;

  private CommandRun workload(String line) {
    return CommandRun.of(
        "workload " + line + " --out " + history() + " --data " + dir.resolve("data"));
  }

  private Path history() {
    return dir.resolve("h.jsonl");
  }

  @ParameterizedTest
  @CsvSource({
    "append,off",
    "append,on",
    "append,tablet",
    "bank,off",
    "bank,on",
    "bank,tablet",
    "scan,off",
    "scan,on",
    "scan,tablet",
    "append,off --protocol omid",
    "append,on --protocol omid",
    "append,tablet --protocol omid",
    "scan,on --protocol omid",
    "bank,tablet --protocol omid",
    "append,off --protocol omid-fp",
    "bank,off --protocol omid",
    "append,off --protocol omid-2pc",
    "append,off --protocol omid-ll",
    "scan,off --protocol omid"
  })
  void historyOfAWorkloadIsValid(String kind, String onePhase) throws IOException {
    CommandRun run =
        workload(
            kind
                + " --store memory --clients 4 --txns 250 --keys 12 --json --one-phase "
                + onePhase);

    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.DONE);
    JsonNode result = new ObjectMapper().readTree(run.out());
    List<HistoryEntry> entries = HistoryReader.readAll(history());
    assertThat(entries.stream().filter(e -> e.type() == HistoryEntry.Type.OK).count())
        .isEqualTo(result.get("ok").asLong())
        .isGreaterThanOrEqualTo(250);
    CommandRun check = CommandRun.of("check " + history() + " --json");
    assertThat(check.code()).as(check.out()).isEqualTo(ExitCode.DONE);
    assertThat(check.out()).startsWith("{\"valid\":true,\"kind\":\"" + kind + "\"");
  }

  @Test
  void allWaysToCommitHaveFiguresAndHistoriesOfTheirOwn() throws IOException {
    CommandRun run =
        workload("bank --store memory --clients 2 --txns 60 --keys 12 --json --one-phase all");

    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.DONE);
    List<String> modes = List.of("off", "on", "tablet");
    List<String> lines = run.out().lines().toList();
    assertThat(lines).hasSize(3);
    for (int i = 0; i < 3; i++) {
      JsonNode result = new ObjectMapper().readTree(lines.get(i));
      assertThat(result.get("one_phase").asText()).isEqualTo(modes.get(i));
      assertThat(result.get("tablets").asInt()).isGreaterThanOrEqualTo(8);
      assertThat(result.get("ok").asLong()).isGreaterThanOrEqualTo(60);
      Path file = dir.resolve("h." + modes.get(i) + ".jsonl");
      assertThat(result.get("out").asText()).isEqualTo(file.toString());
      assertThat(CommandRun.of("check " + file).code()).isEqualTo(ExitCode.DONE);
    }
  }

  @Test
  void workloadRunsAgainOnTheSameData() {
    for (int i = 0; i < 2; i++) {
      assertThat(workload("append --clients 2 --txns 50 --keys 3").code()).isEqualTo(ExitCode.DONE);
      assertThat(CommandRun.of("check " + history()).code()).isEqualTo(ExitCode.DONE);
    }
  }

  @Test
  void invalidHistoryEndsWithOne() throws IOException {
    Files.writeString(
        history(),
        """
        {"process":0,"type":"ok","start":0,"end":1,"ops":[["append","x",1]]}
        {"process":1,"type":"ok","start":2,"end":3,"ops":[["r","x",[]]]}
        """);

    CommandRun check = CommandRun.of("check " + history());

    assertThat(check.code()).isEqualTo(ExitCode.FAILED);
    assertThat(check.out()).startsWith("INVALID").contains("lost-append");
  }

  @Test
  void tornLastLineIsANotice() throws IOException {
    Files.writeString(
        history(),
        """
        {"process":0,"type":"ok","start":0,"end":1,"ops":[["append","x",1]]}
        {"process":1,"type":"ok","sta""");

    CommandRun check = CommandRun.of("check " + history());

    assertThat(check.code()).isEqualTo(ExitCode.DONE);
    assertThat(check.out()).contains("notice: Line 2, the last, is torn");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "no json\n", "{\"process\":0}\n"})
  void whatIsNoHistoryEndsWithTwo(String text) throws IOException {
    Files.writeString(history(), text);

    CommandRun check = CommandRun.of("check " + history());

    assertThat(check.code()).isEqualTo(ExitCode.USAGE);
    assertThat(check.err()).contains("h.jsonl").doesNotContain("\tat ");
    assertThat(CommandRun.of("check " + dir.resolve("missing")).code()).isEqualTo(ExitCode.USAGE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "paint",
        "append --clients 0",
        "append --kill-every soon",
        "append --kill-every 1s --store memory",
        "append --one-phase perhaps",
        "append --through pigeon",
        "append --through grpc --store memory",
        "append --through grpc --server grpc://127.0.0.1:7801",
        "append --server 127.0.0.1:7801",
        "append --server http://127.0.0.1:7800/x",
        "append --server grpc://127.0.0.1:7801 --kill-every 1s",
        "append --server grpc://127.0.0.1:7801 --one-phase on",
        "append --token-file t"
      })
  void wrongUsageWritesNothing(String line) {
    CommandRun run = workload(line);

    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).isNotBlank().doesNotContain("\tat ");
    assertThat(history()).doesNotExist();
  }
}
