package io.braid.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.braid.cli.command.ExitCode;
import io.braid.cli.remote.OwnServer;
import io.braid.cli.remote.RemoteSessions;
import io.braid.core.data.Codecs;
import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.FastSession;
import io.braid.core.transaction.RowChange;
import io.braid.testkit.history.HistoryEntry;
import io.braid.testkit.history.HistoryEntry.Type;
import io.braid.testkit.history.HistoryReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Faults 8, 9, 13 and 14 with real processes: killed amid commits, reopened, judged. */
class KilledWorkloadIT {
  @TempDir Path dir;

  @ParameterizedTest
  @CsvSource({
    "append,off",
    "scan,tablet",
    "append,off --protocol omid",
    "scan,tablet --protocol omid",
    "append,off --protocol omid-fp"
  })
  void nothingAcknowledgedIsLostWhenTheProcessIsKilled(String kind, String onePhase)
      throws IOException {
    nothingIsLost(kind + " --kill-every 250ms --one-phase " + onePhase, 300);
  }

  /** Clients outlive the server: they ask again for answers that were lost. */
  @ParameterizedTest
  @CsvSource({"append,grpc", "scan,grpc --protocol omid", "append,http --protocol omid-fp"})
  void nothingAcknowledgedIsLostWhenTheServerIsKilled(String kind, String through)
      throws IOException {
    nothingIsLost(kind + " --kill-every 2s --through " + through, 200);
  }

  private void nothingIsLost(String line, int transactions) throws IOException {
    Path history = dir.resolve("h.jsonl");

    CommandRun run =
        CommandRun.of(
            "workload "
                + line
                + " --clients 6 --keys 20 --json --txns "
                + transactions
                + " --out "
                + history
                + " --data "
                + dir.resolve("data"));

    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.DONE);
    JsonNode result = new ObjectMapper().readTree(run.out());
    assertThat(result.get("kills").asLong()).isPositive();
    assertThat(result.get("ok").asLong()).isGreaterThanOrEqualTo(transactions);
    CommandRun check = CommandRun.of("check " + history);
    assertThat(check.code()).as(check.out()).isEqualTo(ExitCode.DONE);
    noProcessGoesOnAfterAnUnknownOutcome(HistoryReader.readAll(history));
  }

  @ParameterizedTest
  @CsvSource({"grpc", "http"})
  void clientsComeToAServerThatRuns(String door) {
    List<String> arguments =
        List.of("--data", dir.resolve("data").toString(), "--set", "store.memory=16 MiB");
    try (OwnServer server = new OwnServer(WatchedServer.class, arguments, dir.resolve("log"))) {
      String address = door.equals("grpc") ? server.grpc() : server.http();
      aNamedWriteIsDoneOnce(address);
      for (int i = 0; i < 2; i++) { // the second time, tables are there
        Path history = dir.resolve("h.jsonl");
        CommandRun run =
            CommandRun.of(
                "workload bank --clients 3 --txns 60 --keys 9 --out "
                    + history
                    + " --server "
                    + address);
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.DONE);
        CommandRun check = CommandRun.of("check " + history);
        assertThat(check.code()).as(check.out()).isEqualTo(ExitCode.DONE);
      }
    }
  }

  private static void aNamedWriteIsDoneOnce(String address) {
    try (RemoteSessions sessions = RemoteSessions.of(address, "")) {
      sessions.renew("named", "omid", "f");
      FastSession fast = sessions.fast();
      FastSession.Request name = fast.request();
      RowChange change =
          RowChange.of(Row.of("named", "r")).set(Column.of("f", "q", Codecs.utf8()), "v");
      assertThat(fast.write(name, change)).isEqualTo(fast.write(name, change)).isPositive();
    }
  }

  /** Whoever kills a workload finds its server gone, too. */
  @Test
  void aServerEndsWithWhoStartedIt() throws Exception {
    Path data = dir.resolve("data");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            WatchedServer.class.getName(),
            "server",
            "--data",
            data.toString(),
            "--set",
            "server.listen=127.0.0.1:0",
            "--set",
            "server.grpc=off");
    Process server = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      assertThat(server.getInputStream().read()).isPositive(); // it listens
      server.getOutputStream().close();
      assertThat(server.waitFor(20, TimeUnit.SECONDS)).isTrue();
    } finally {
      server.destroyForcibly();
    }
  }

  /** And none runs two transactions at once, over all lives of the database. */
  private static void noProcessGoesOnAfterAnUnknownOutcome(List<HistoryEntry> entries) {
    Map<Long, Long> freeFrom = new HashMap<>();
    for (HistoryEntry entry :
        entries.stream().sorted((a, b) -> Long.compare(a.start(), b.start())).toList()) {
      assertThat(entry.start()).isGreaterThan(freeFrom.getOrDefault(entry.process(), -1L));
      freeFrom.put(entry.process(), entry.type() == Type.INFO ? Long.MAX_VALUE : entry.end());
    }
  }
}
