package io.braid.serving.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.braid.core.data.Bytes;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.ServingException;
import io.braid.serving.build.BuildPlan;
import io.braid.serving.build.StoreBuilder;
import io.braid.serving.chunk.Search;
import io.braid.serving.files.Throttle;
import io.braid.serving.node.Lease;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.node.ServedStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fault 60: the disk is full in a fetch. On a small file system in memory, which takes the right to
 * mount one; skipped where that is missing.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FetchDiskFullIT {
  private static final String STORE = "people";
  private static final SystemSeams SEAMS = new SystemSeams();
  private static final int KEYS = 100;
  private static final int VALUE_BYTES = 50_000;
  private static final int DISK_MIB = 32;

  @TempDir Path directory;
  private Path disk = Path.of("");

  @BeforeEach
  void mount() throws Exception {
    disk = Files.createDirectory(directory.resolve("disk"));
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=" + DISK_MIB + "m", "tmpfs", disk.toString()) == 0);
  }

  @AfterEach
  void unmount() throws Exception {
    run("umount", "-l", disk.toString());
  }

  private static int run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
  }

  private Path build(int version) throws IOException {
    Path out = directory.resolve("built-" + version);
    byte[] value = new byte[VALUE_BYTES];
    try (StoreBuilder builder = new StoreBuilder(BuildPlan.of(STORE), out)) {
      for (int i = 0; i < KEYS; i++) {
        new SplittableRandom(i).nextBytes(value);
        builder.add(Bytes.of("key" + i), Bytes.of(version + " ").concat(Bytes.wrap(value.clone())));
      }
      builder.finish();
    }
    return StoreBuilder.folder(out, 0);
  }

  private static Fetch fetch(NodeDirectory node, Source source, long version) {
    return new Fetch(SEAMS, node.store(STORE), source, version, new Throttle(SEAMS, 0), 2);
  }

  private static String answer(ServedStore served) {
    try (Lease lease = served.lease()) {
      return lease.get(Bytes.of("key7")).orElseThrow().slice(0, 1).toUtf8();
    }
  }

  @Test
  void theOldVersionGoesOnAnsweringAndThePartialOneIsRemoved() throws Exception {
    try (NodeDirectory node = NodeDirectory.own(disk.resolve("node"), SEAMS);
        ServedStore served = ServedStore.open(node.store(STORE), Search.BINARY)) {
      fetch(node, new LocalSource(build(1)), 1).run();
      served.swap(1, false);
      Path folder = build(2);
      Path ballast = disk.resolve("ballast");
      Source filling =
          new Source() {
            private boolean filled;

            @Override
            public synchronized InputStream open(String name, long offset) throws IOException {
              if (name.endsWith(".data") && !filled) {
                filled = true;
                long free = Files.getFileStore(disk).getUsableSpace();
                Files.write(ballast, new byte[(int) free - KEYS * VALUE_BYTES / 2]);
              }
              return new LocalSource(folder).open(name, offset);
            }

            @Override
            public String toString() {
              return "the source";
            }
          };
      assertThatThrownBy(() -> fetch(node, filling, 2).run())
          .isInstanceOfSatisfying(
              ServingException.class,
              failed -> assertThat(failed.code()).isEqualTo(ErrorCode.FETCH_FAILED))
          .hasMessageContaining("The disk is full");
      Path store = disk.resolve("node").resolve(STORE);
      try (var left = Files.list(store)) {
        assertThat(left).noneMatch(each -> each.getFileName().toString().contains("fetching"));
      }
      assertThat(answer(served)).isEqualTo("1");
      assertThatThrownBy(() -> fetch(node, filling, 2).run())
          .isInstanceOfSatisfying(
              ServingException.class,
              failed -> assertThat(failed.code()).isEqualTo(ErrorCode.VERSION_REFUSED))
          .hasMessageContaining("Make room");
      Files.delete(ballast);
      fetch(node, filling, 2).run();
      served.swap(2, false);
      assertThat(answer(served)).isEqualTo("2");
    }
  }
}
