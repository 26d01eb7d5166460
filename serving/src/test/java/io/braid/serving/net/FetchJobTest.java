package io.braid.serving.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.runtime.SystemSeams;
import io.braid.serving.fetch.Fetch;
import io.braid.serving.fetch.Source;
import io.braid.serving.files.Throttle;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.node.NodeFixture;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 50, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FetchJobTest {
  private static final SystemSeams SEAMS = new SystemSeams();

  @TempDir Path root;

  /** One that never ended would keep all later fetches of its store out. */
  @Test
  void aFetchThatAnErrorEndsHasFailed() throws IOException {
    Source source =
        new Source() {
          @Override
          public InputStream open(String name, long offset) {
            throw new OutOfMemoryError("on purpose");
          }

          @Override
          public String toString() {
            return "the source";
          }
        };
    try (NodeDirectory node = NodeDirectory.own(root, SEAMS)) {
      Fetch fetch =
          new Fetch(SEAMS, node.store(NodeFixture.STORE), source, 1, new Throttle(SEAMS, 0), 2);
      FetchJob job = FetchJob.start(SEAMS, NodeFixture.STORE, 1, "/from", fetch);
      while (!job.ended()) {
        SEAMS.sleep(Duration.ofMillis(1));
      }
      assertThat(job.state()).isEqualTo(FetchJob.State.FAILED);
      assertThat(job.problem()).contains("on purpose");
    }
  }
}
