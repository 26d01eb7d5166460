package io.braid.cli.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.transaction.Protocol;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that only sleeps stands for the master. */
class FaultsTest {
  @TempDir Path data;

  @Test
  void aKilledMasterStaysDownUntilItsTimeHasCome() throws IOException {
    Files.createDirectories(data.resolve("run"));
    ProcessHandle master = new ProcessBuilder("sleep", "60").start().toHandle();
    Files.writeString(
        data.resolve("run").resolve(ClusterHome.MASTER),
        master.pid() + " " + WatchingProcess.began(master) + " 0\n");
    List<String> said = new ArrayList<>();
    Path history = data.resolve("history.jsonl");
    try (FaultedRun run =
            new FaultedRun(data, Protocol.PERCOLATOR, 1, 1, 1, history, new Timeline());
        Faults faults = new Faults(new ClusterHome(data), run, 1, said::add)) {
      EnumSet<FaultKind> kinds = EnumSet.of(FaultKind.kill_master);
      faults.next(kinds);
      assertThat(ClusterProcess.awaitEnd(master, Duration.ofSeconds(10))).isTrue();
      faults.next(kinds);
      assertThat(said).containsExactly("kill master", "nothing to kill: the master is down");
      assertThat(faults.brought()).containsOnly(Map.entry(FaultKind.kill_master, 1L));
    } finally {
      master.destroyForcibly();
    }
  }
}
