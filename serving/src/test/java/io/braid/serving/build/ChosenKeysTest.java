package io.braid.serving.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.braid.core.data.Bytes;
import io.braid.core.runtime.SystemSeams;
import io.braid.serving.chunk.Compression;
import io.braid.serving.chunk.IndexKind;
import io.braid.serving.chunk.KeyHash;
import io.braid.serving.chunk.Search;
import io.braid.serving.fetch.Fetch;
import io.braid.serving.fetch.LocalSource;
import io.braid.serving.files.Throttle;
import io.braid.serving.node.NodeDirectory;
import io.braid.serving.node.ServedStore;
import io.braid.serving.node.StoreVersions;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Routing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys that somebody has chosen to have one XXH64, which is easily done: it keeps no secret. */
class ChosenKeysTest {
  private static final long P1 = 0x9E3779B185EBCA87L;
  private static final long P1_PLUS_P2 = 0x60EA27EEADC0B5D6L;
  private static final long P2 = 0xC2B2AE3D27D4EB4FL;
  private static final int CHOSEN = 3000;
  private static final int OTHERS = 500;

  @TempDir Path root;

  /**
   * Keys of 64 bytes. Words 0 and 4 go through one of four lanes: whatever the first is, the second
   * brings the lane to 7.
   */
  private static Bytes chosen(long i) {
    long lane = Long.rotateLeft(P1_PLUS_P2 + i * P2, 31) * P1;
    long word = (Long.rotateRight(7 * inverse(P1), 31) - lane) * inverse(P2);
    ByteBuffer key = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    return Bytes.wrap(key.putLong(0, i).putLong(32, word).array());
  }

  /** Of an odd number modulo 2^64. */
  private static long inverse(long odd) {
    long inverse = odd;
    for (int i = 0; i < 6; i++) {
      inverse *= 2 - odd * inverse;
    }
    return inverse;
  }

  @Test
  void theyHaveOneHash() {
    long hash = KeyHash.XXH64.of(chosen(0).toArray());
    for (int i = 1; i < 100; i++) {
      assertThat(KeyHash.XXH64.of(chosen(i).toArray())).isEqualTo(hash);
    }
  }

  private Path build(IndexKind kind, String name) throws IOException {
    BuildPlan plan =
        BuildPlan.of("people")
            .kind(kind)
            .chunks(2)
            .memory(20_000)
            .compression(Compression.LZ4)
            .routing(Routing.consistent(Ring.even(1, 4), 1));
    try (StoreBuilder builder = new StoreBuilder(plan, root.resolve(name))) {
      for (int i = 0; i < CHOSEN; i++) {
        builder.add(chosen(i), Bytes.of("chosen " + i));
      }
      for (int i = 0; i < OTHERS; i++) {
        builder.add(Bytes.of("other " + i), Bytes.of("value " + i));
      }
      builder.finish();
    }
    return StoreBuilder.folder(root.resolve(name), 0);
  }

  /** Fault 59: they are built, found and not found as any others are. */
  @ParameterizedTest
  @EnumSource(IndexKind.class)
  void theyAreBuiltAndReadAsOthers(IndexKind kind) throws IOException {
    Path built = build(kind, "built");
    assertThat(ManifestFile.read(built)).isEqualTo(ManifestFile.read(build(kind, "again")));
    SystemSeams seams = new SystemSeams();
    try (NodeDirectory node = NodeDirectory.own(root.resolve("node"), seams)) {
      StoreVersions versions = node.store("people");
      Throttle none = new Throttle(seams, 0);
      new Fetch(seams, versions, new LocalSource(built), 1, none, 1).run();
      versions.verifyLookups(1);
      try (ServedStore store = ServedStore.open(versions, Search.INTERPOLATION)) {
        store.swap(1, false);
        for (int i = 0; i < CHOSEN; i++) {
          assertThat(store.get(chosen(i))).contains(Bytes.of("chosen " + i));
        }
        for (int i = 0; i < OTHERS; i++) {
          assertThat(store.get(Bytes.of("other " + i))).contains(Bytes.of("value " + i));
          assertThat(store.get(Bytes.of("no " + i))).isEmpty();
          assertThat(store.get(chosen(CHOSEN + i))).isEmpty();
        }
      }
    }
  }
}
