package io.braid.serving.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.chunk.Search;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.node.NodeFixture;
import io.braid.serving.node.ServedStore;
import io.braid.serving.node.StoreVersions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fault 60: the disk of a node fills up while a version comes in. On a small file system in memory,
 * which takes the right to mount one; skipped where that is missing.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DiskFullFetchIT {
  private static final SystemSeams SEAMS = new SystemSeams();
  private static final Bytes KEY = NodeFixture.key(7);

  @TempDir Path directory;
  private Path disk = Path.of("");

  @BeforeEach
  void mount() throws Exception {
    disk = Files.createDirectory(directory.resolve("disk"));
    assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", disk.toString()) == 0);
  }

  @AfterEach
  void unmount() throws Exception {
    run("umount", "-l", disk.toString());
  }

  @Test
  void theOldVersionServesOnAndThePartialOneGoes() throws Exception {
    LocalSource source = new LocalSource(NodeFixture.build(directory, 1, 2000));
    Path ballast = disk.resolve("ballast");
    try (NodeDirectory node = NodeDirectory.own(disk.resolve("node"), SEAMS)) {
      StoreVersions versions = node.store(NodeFixture.STORE);
      fetch(versions, source, 1);
      try (ServedStore store = ServedStore.open(versions, Search.BINARY)) {
        store.swap(1, false);

        assertThatThrownBy(() -> fetch(versions, new Filling(source, ballast), 2))
            .isInstanceOf(FetchFailedException.class)
            .hasMessageContaining("Fetch it again");

        assertThat(Files.exists(ballast)).isTrue();
        assertThat(versions.numbers()).containsExactly(1L);
        try (var left = Files.list(versions.directory(2).resolveSibling("."))) {
          assertThat(left.map(file -> file.getFileName().toString()))
              .noneMatch(name -> name.startsWith("fetching"));
        }
        assertThat(store.version()).isEqualTo(1);
        assertThat(store.get(KEY)).isPresent();

        Files.delete(ballast);
        fetch(versions, source, 2);
        store.swap(2, false);
        assertThat(store.version()).isEqualTo(2);
        assertThat(store.get(KEY)).isPresent();
      }
    }
  }

  private static void fetch(StoreVersions versions, Source source, long version)
      throws IOException {
    new Fetch(SEAMS, versions, source, version, new Throttle(SEAMS, 0), 1).run();
  }

  /** Somebody else takes all room as soon as the first chunk is asked for. */
  private record Filling(Source source, Path ballast) implements Source {
    @Override
    public InputStream open(String name, long offset) throws IOException {
      if (name.endsWith(".data") && !Files.exists(ballast)) {
        fill();
      }
      return source.open(name, offset);
    }

    private void fill() {
      try (var out = Files.newOutputStream(ballast)) {
        while (true) {
          out.write(new byte[4096]);
        }
      } catch (IOException full) {
        assertThat(ballast.toFile().getUsableSpace()).isZero();
      }
    }
  }

  private static int run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    assertThat(process.waitFor(Duration.ofSeconds(30).toSeconds(), TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }
}
