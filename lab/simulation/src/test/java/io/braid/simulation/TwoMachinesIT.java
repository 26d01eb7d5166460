package io.braid.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A seed gives the same run in any Java virtual machine. */
class TwoMachinesIT {
  private static final int SEEDS = 4;

  @Test
  void sameTraceInAnotherJvm() throws Exception {
    String here = String.join("\n", hashes());
    assertThat(hashesOf("-Xint")).isEqualTo(here);
    assertThat(hashesOf("-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2")).isEqualTo(here);
  }

  private static String hashesOf(String... flags) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(flags));
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), TwoMachinesIT.class.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(false).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return out.strip();
  }

  /** Prints the hashes of some runs. */
  public static void main(String[] args) {
    hashes().forEach(System.out::println);
  }

  private static List<String> hashes() {
    List<String> hashes = new ArrayList<>();
    for (long seed = 1; seed <= SEEDS; seed++) {
      SimulationOptions options =
          SimulationOptions.of(Scenarios.PERCOLATOR, seed).duration(Duration.ofSeconds(3));
      hashes.add(Simulation.run(options.onePhase(seed % 2 == 0)).traceHash());
    }
    return hashes;
  }
}
