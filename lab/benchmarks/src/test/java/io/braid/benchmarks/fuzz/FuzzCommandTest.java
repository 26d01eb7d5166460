package io.braid.benchmarks.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Some thousand frames to everything that listens; {@code braid bench fuzz} has more. */
class FuzzCommandTest {
  @Test
  void nothingThatIsSentBreaksAnything() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FuzzCommand command = new FuzzCommand();
    command.seed = Long.getLong("braid.seed", 1);
    FuzzCommand.Result result =
        command.run(
            Integer.getInteger("braid.frames", 8_000),
            new PrintStream(out, true, StandardCharsets.UTF_8));
    assertThat(result.problems()).as(out.toString(StandardCharsets.UTF_8)).isEmpty();
  }
}
