package io.braid.serving.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.build.BuildPlan;
import io.braid.serving.build.ManifestFile;
import io.braid.serving.build.Patch;
import io.braid.serving.build.StoreBuilder;
import io.braid.serving.chunk.Compression;
import io.braid.serving.chunk.IndexKind;
import io.braid.serving.files.Throttle;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.node.StoreVersions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deltas to an earlier version (section 6) make exactly what a full build makes. */
class PatchTest {
  @TempDir Path root;
  private final SystemSeams seams = new SystemSeams();

  /**
   * In every version some values are others, some keys come and some go; where tuples are packed
   * together few, as each takes its neighbours along.
   */
  private Path build(BuildPlan plan, int version) throws IOException {
    int apart = plan.kind() == IndexKind.BLOCKS ? 5000 : 50;
    Path out = root.resolve(plan.kind() + "-" + plan.compression() + "-" + version);
    try (StoreBuilder builder = new StoreBuilder(plan.chunks(3), out)) {
      for (int i = 0; i < 2000; i++) {
        int changed = i % apart == version ? version : 0;
        if (i % (apart + 11) != version) {
          SplittableRandom random = new SplittableRandom(i + 10_000L * changed);
          byte[] value = new byte[40 + random.nextInt(80)];
          random.nextBytes(value);
          builder.add(Bytes.of("key " + i), Bytes.wrap(value));
        }
      }
      builder.finish();
    }
    return StoreBuilder.folder(out, 0);
  }

  private Fetch fetch(StoreVersions versions, Path folder, long version) {
    return new Fetch(seams, versions, new LocalSource(folder), version, new Throttle(seams, 0), 2);
  }

  @Test
  void aPatchedVersionHasTheChecksumOfAFullBuild() throws IOException {
    for (IndexKind kind : IndexKind.values()) {
      for (Compression compression : Compression.values()) {
        BuildPlan plan = BuildPlan.of("s").kind(kind).compression(compression);
        Path base = build(plan, 1);
        Path folder = build(plan, 2);
        String checksum = ManifestFile.read(folder).checksum();
        Patch patch = Patch.make(base, folder);
        assertThat(patch.deltas()).hasSize(3);
        assertThat(patch.bytes()).isLessThan(patch.insteadOf() / 4);
        Path at = root.resolve("node-" + kind + compression);
        try (NodeDirectory node = NodeDirectory.own(at, seams)) {
          StoreVersions versions = node.store("s");
          fetch(versions, base, 1).run();
          Fetch patched = fetch(versions, folder, 2);
          patched.run();
          assertThat(patched.base()).isEqualTo(1);
          assertThat(patched.spared()).isEqualTo(patch.insteadOf() - patch.bytes());
          assertThat(versions.verify(2).checksum()).isEqualTo(checksum);
          versions.verifyLookups(2);
        }
      }
    }
  }

  @Test
  void withoutItsBaseOrWithADamagedDeltaFilesAreFetchedWhole() throws IOException {
    Path base = build(BuildPlan.of("s"), 1);
    Path folder = build(BuildPlan.of("s"), 2);
    Patch.make(base, folder);
    try (NodeDirectory node = NodeDirectory.own(root.resolve("node"), seams)) {
      StoreVersions versions = node.store("s");
      fetch(versions, build(BuildPlan.of("s"), 3), 1).run();
      Fetch other = fetch(versions, folder, 2);
      other.run();
      assertThat(other.base()).as("another base").isZero();
      versions.verify(2);
      fetch(versions, base, 3).run();
      Path delta = folder.resolve(Patch.delta("0_0_1.data"));
      byte[] bytes = Files.readAllBytes(delta);
      bytes[bytes.length / 2] ^= 1;
      Files.write(delta, bytes);
      Fetch damaged = fetch(versions, folder, 4);
      damaged.run();
      assertThat(damaged.base()).isEqualTo(3);
      versions.verifyLookups(4);
      assertThat(versions.verify(4)).isEqualTo(versions.verify(2));
      Files.write(folder.resolve(Patch.NAME), new byte[] {1, 2, 3});
      fetch(versions, folder, 5).run();
      versions.verify(5);
    }
  }
}
