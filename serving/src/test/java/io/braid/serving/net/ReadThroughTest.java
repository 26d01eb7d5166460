package io.braid.serving.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.runtime.SystemSeams;
import io.braid.serving.chunk.FileDigest;
import io.braid.serving.chunk.Search;
import io.braid.serving.fetch.Fetch;
import io.braid.serving.fetch.FileFetch;
import io.braid.serving.fetch.LocalSource;
import io.braid.serving.files.Throttle;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.node.NodeFixture;
import io.braid.testkit.runtime.Clocks;
import io.braid.testkit.runtime.ManualSeams;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fault 52: to read files through takes disk and processor from live reads as a fetch does, and
 * keeps the same rate.
 */
@SuppressWarnings("NullAway.Init")
class ReadThroughTest {
  private static final int RATE = 100_000;

  @TempDir Path root;

  private final Clocks clocks = new Clocks();
  private final ManualSeams seams = new ManualSeams(clocks, "node");
  private Path built;

  @BeforeEach
  void build() throws IOException {
    built = NodeFixture.build(root, 1, 3000);
  }

  private Duration atRate(long bytes) {
    return Duration.ofMillis(1000 * bytes / RATE);
  }

  @Test
  void aVersionIsMadeReadyNoFasterThanItIsFetched() throws IOException {
    NodeService.Options options = new NodeService.Options(Search.BINARY, RATE, 1 << 20, 2, 2);
    try (NodeDirectory node = NodeDirectory.own(root.resolve("node"), seams);
        NodeService service = new NodeService(seams, node, options)) {
      SystemSeams real = new SystemSeams();
      LocalSource source = new LocalSource(built);
      Throttle none = new Throttle(real, 0);
      long bytes = new Fetch(real, node.store("people"), source, 1, none, 1).run().bytes();
      long begun = clocks.nanos;
      service.prepare("people", 1, false);
      assertThat(Duration.ofNanos(clocks.nanos - begun))
          .isBetween(atRate(bytes).multipliedBy(9).dividedBy(10), atRate(2 * bytes));
      begun = clocks.nanos;
      service.swap("people", 1, false);
      assertThat(clocks.nanos - begun).isZero();
    }
  }

  /** What came before a fetch broke off is read once more for the checksum. */
  @Test
  void aFetchThatGoesOnReadsWhatIsThereAtItsRate() throws IOException {
    try (NodeDirectory node = NodeDirectory.own(root.resolve("node"), seams)) {
      Path partial =
          Files.createDirectories(root.resolve("node").resolve("people").resolve("fetching-1"));
      Path data = partial.resolve("0_0_0.data");
      Files.copy(built.resolve("0_0_0.data"), data);
      FileDigest digest = FileDigest.of(data);
      Throttle throttle = new Throttle(seams, RATE);
      long begun = clocks.nanos;
      new FileFetch(new LocalSource(built), "0_0_0.data", digest, data)
          .run(throttle, n -> {}, () -> false);
      assertThat(Duration.ofNanos(clocks.nanos - begun))
          .isGreaterThan(atRate(digest.bytes()).multipliedBy(9).dividedBy(10));
    }
  }
}
