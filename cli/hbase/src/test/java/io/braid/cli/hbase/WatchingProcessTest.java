package io.braid.cli.hbase;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.braid.cli.hbase.WatchingProcess.Watched;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What belongs to a benchmark ends with it, even if that is killed. */
class WatchingProcessTest {
  private final List<Process> started = new java.util.ArrayList<>();

  /** Says that it runs, and then does nothing for ever. */
  public static final class Idle {
    private Idle() {}

    public static void main(String[] words) throws InterruptedException {
      System.out.println("idle " + String.join(" ", words));
      System.out.flush();
      Thread.sleep(Long.MAX_VALUE);
    }
  }

  @AfterEach
  void endAll() {
    started.forEach(Process::destroyForcibly);
  }

  private Process start(String... words) throws IOException {
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    started.add(process);
    return process;
  }

  @Test
  void itEndsWhenWhatItWatchesWasKilled() throws Exception {
    Process other = start("sleep", "600");
    Watched watched = Watched.find(other.pid()).orElseThrow();
    Process process =
        start(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            WatchingProcess.class.getName(),
            String.valueOf(watched.pid()),
            String.valueOf(watched.began()),
            Idle.class.getName(),
            "one",
            "two");
    assertThat(requireNonNull(process.inputReader().readLine())).isEqualTo("idle one two");
    assertThat(process.isAlive()).isTrue();

    other.destroyForcibly().waitFor();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void aProcessThatHasTheNumberByNowIsNotTheOneThatIsWatched() {
    long own = ProcessHandle.current().pid();
    Watched here = Watched.find(own).orElseThrow();
    assertThat(here.isThere()).isTrue();
    assertThat(new Watched(own, here.began() - 1).isThere()).isFalse();
  }
}
