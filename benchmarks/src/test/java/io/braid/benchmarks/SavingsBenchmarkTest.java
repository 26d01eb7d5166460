package io.braid.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What is saved is counted with everything that a database puts around its transactions. */
class SavingsBenchmarkTest {

  @Test
  void itRuns() {
    assertThat(new CommandLine(new SavingsBenchmark()).execute("--documents", "8")).isZero();
  }
}
