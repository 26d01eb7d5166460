package io.braid.serving.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.failure.ErrorCode;
import io.braid.serving.ServingException;
import io.braid.serving.chunk.ChunkName;
import io.braid.serving.chunk.Compression;
import io.braid.serving.chunk.FileDigest;
import io.braid.serving.chunk.IndexKind;
import io.braid.serving.chunk.Placement;
import io.braid.serving.ring.Ring;
import io.braid.serving.ring.Routing;
import io.braid.testkit.Seeds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StoreBuilderTest {
  @TempDir Path directory;

  private record Tuple(Bytes key, Bytes value) {}

  @ParameterizedTest
  @EnumSource(IndexKind.class)
  void theSameTuplesMakeTheSameBytesWhateverTheMemory(IndexKind kind) throws IOException {
    BuildPlan plan =
        BuildPlan.of("s")
            .kind(kind)
            .chunks(2)
            .duplicates(Duplicates.LAST)
            .routing(Routing.consistent(Ring.even(3, 5), 2));
    List<Tuple> tuples = tuples(5000);
    StoreBuilder.BuildResult large = build(plan, tuples, "large");
    StoreBuilder.BuildResult small = build(plan.memory(2000), tuples, "small");
    assertThat(small.manifests()).isEqualTo(large.manifests());
    large
        .manifests()
        .forEach(
            (node, manifest) ->
                manifest.files().forEach((file, digest) -> check("small", node, file, digest)));
    assertThat(large.manifests().values().stream().mapToLong(Manifest::records).sum())
        .isEqualTo(2 * large.keys());
  }

  private void check(String out, int node, String file, FileDigest digest) {
    try {
      Path path = StoreBuilder.folder(directory.resolve(out), node).resolve(file);
      assertThat(FileDigest.of(path)).isEqualTo(digest);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Fault 43: duplicates do what was asked for, in bounded memory too. */
  @Test
  void duplicatesFailOrTheLastStaysOrTheyAreJoined() throws IOException {
    List<Tuple> tuples = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      tuples.add(new Tuple(Bytes.of("k" + i % 100), Bytes.of("" + i)));
    }
    for (int memory : new int[] {1 << 20, 1500}) {
      BuildPlan plan = BuildPlan.of("s").memory(memory);
      assertThatThrownBy(() -> build(plan, tuples, "fail" + memory))
          .isInstanceOfSatisfying(
              ServingException.class,
              failed -> assertThat(failed.code()).isEqualTo(ErrorCode.DUPLICATE_KEY))
          .hasMessageContaining("Key k");
      assertThat(directory.resolve("fail" + memory)).doesNotExist();
      StoreBuilder.BuildResult last =
          build(plan.duplicates(Duplicates.LAST), tuples, "last" + memory);
      assertThat(last.keys()).isEqualTo(100);
      StoreBuilder.BuildResult joined =
          build(plan.reducing(Duplicates.LINES), tuples, "reduce" + memory);
      Path data = directory.resolve("reduce" + memory).resolve("node-0").resolve("0_0_0.data");
      assertThat(new String(Files.readAllBytes(data), StandardCharsets.ISO_8859_1))
          .contains("k7777\n177\n277");
      assertThat(joined.keys()).isEqualTo(100);
    }
  }

  /** Fault 51: a version with too little in it is not even built. */
  @Test
  void fewerKeysThanTheMinimumAreRefused() {
    assertThatThrownBy(() -> build(BuildPlan.of("s"), List.of(), "empty"))
        .isInstanceOfSatisfying(
            ServingException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.TOO_FEW_KEYS));
    assertThatThrownBy(
            () ->
                build(
                    BuildPlan.of("s").duplicates(Duplicates.LAST).minimumKeys(5001),
                    tuples(5000),
                    "few"))
        .isInstanceOfSatisfying(
            ServingException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.TOO_FEW_KEYS));
  }

  /** Fault 46: a manifest that was changed in any place is refused. */
  @Test
  void aDamagedManifestIsRefused() throws IOException {
    StoreBuilder.BuildResult built =
        build(BuildPlan.of("s"), List.of(new Tuple(Bytes.of("a"), Bytes.of("b"))), "m");
    Path folder = directory.resolve("m").resolve("node-0");
    assertThat(ManifestFile.read(folder)).isEqualTo(built.manifests().get(0));
    byte[] right = Files.readAllBytes(folder.resolve(ManifestFile.NAME));
    for (int bit = 0; bit < right.length * 8; bit++) {
      byte[] wrong = right.clone();
      wrong[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatThrownBy(() -> ManifestFile.decode(wrong, "it"))
          .isInstanceOf(BadManifestException.class);
    }
    Files.delete(folder.resolve(ManifestFile.NAME));
    assertThatThrownBy(() -> ManifestFile.read(folder)).hasMessageContaining("did not finish");
  }

  /** Fault 54: numbers that would take memory are refused before it is taken. */
  @Test
  void absurdNumbersOfPartitionsAndChunksAreRefused() {
    assertThatThrownBy(() -> new Placement(65536, 65536)).hasMessageContaining("too many");
    assertThatThrownBy(() -> new Placement(0, 1)).isInstanceOf(IllegalArgumentException.class);
    FileDigest file = new FileDigest(80, "");
    assertThatThrownBy(
            () ->
                new Manifest(
                    "s",
                    0,
                    IndexKind.BUCKETS,
                    new Placement(2, 1),
                    1,
                    Map.of(),
                    0,
                    0,
                    0,
                    Compression.NONE,
                    OptionalLong.empty(),
                    List.of(new Manifest.Chunk(new ChunkName(2, 0, 0), 0, file, file))))
        .hasMessageContaining("2_0_0");
  }

  @Test
  void aDirectoryThatIsNotEmptyIsLeftAlone() throws IOException {
    Files.writeString(Files.createDirectories(directory.resolve("full")).resolve("x"), "mine");
    assertThatThrownBy(() -> build(BuildPlan.of("s"), tuples(1), "full"))
        .hasMessageContaining("not empty");
    assertThat(directory.resolve("full").resolve("x")).hasContent("mine");
  }

  private StoreBuilder.BuildResult build(BuildPlan plan, List<Tuple> tuples, String name)
      throws IOException {
    try (StoreBuilder builder = new StoreBuilder(plan, directory.resolve(name))) {
      for (Tuple tuple : tuples) {
        builder.add(tuple.key, tuple.value);
      }
      return builder.finish();
    }
  }

  private static List<Tuple> tuples(int count) {
    RandomGenerator random = Seeds.random(9);
    List<Tuple> tuples = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] value = new byte[random.nextInt(i % 100 == 0 ? 3000 : 50)];
      random.nextBytes(value);
      tuples.add(new Tuple(Bytes.of("key " + random.nextInt(count)), Bytes.wrap(value)));
    }
    return tuples;
  }
}
