package io.braid.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client for Python, against a real server. */
class PythonClientTest {
  @TempDir Path dir;

  @Test
  void theTestsOfTheClientPass() throws Exception {
    assumeTrue(python(), "There is no python3 (3.9 or newer) here: its client is not tested.");
    Path inputs = Files.createDirectories(dir.resolve("inputs"));
    try (TestNode node =
        TestNode.start(
            dir,
            "server.page",
            "10",
            "server.inputs",
            inputs.toString(),
            "server.jobs",
            dir.resolve("jobs").toString())) {
      ProcessBuilder tests =
          new ProcessBuilder(
                  "python3", "-B", "-m", "unittest", "discover", "-s", "tests", "-t", ".")
              .directory(Path.of("../../clients/python").toFile())
              .redirectErrorStream(true);
      tests.environment().put("BRAID_URL", node.node().url());
      tests.environment().put("BRAID_INPUTS", inputs.toString());
      Process run = tests.start();
      String output = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(run.waitFor()).as(output).isZero();
      assertThat(output).contains("Ran ", "OK");
    }
  }

  private static boolean python() throws InterruptedException {
    try {
      return new ProcessBuilder("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))")
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
