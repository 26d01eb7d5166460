package io.braid.serving.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.braid.core.data.Bytes;
import io.braid.core.failure.ErrorCode;
import io.braid.serving.ServingException;
import io.braid.testkit.Seeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What was written is found, what was not is absent, with every kind of index. */
class ChunkTest {
  @TempDir Path directory;

  static List<Arguments> kinds() {
    List<Arguments> kinds = new ArrayList<>();
    for (ChunkFiles.Lengths lengths : ChunkFiles.Lengths.values()) {
      kinds.add(Arguments.of(IndexKind.BUCKETS, Search.BINARY, lengths));
      kinds.add(Arguments.of(IndexKind.SORTED, Search.BINARY, lengths));
      kinds.add(Arguments.of(IndexKind.SORTED, Search.INTERPOLATION, lengths));
      kinds.add(Arguments.of(IndexKind.BLOCKS, Search.BINARY, lengths));
      kinds.add(Arguments.of(IndexKind.BLOCKS, Search.INTERPOLATION, lengths));
    }
    return kinds;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void everyTupleIsFoundAndNothingElse(IndexKind kind, Search search, ChunkFiles.Lengths lengths) {
    int[] sizes = {0, 1, 2, 20, 21, 22, 43, 300, 2000};
    Seeds.each(
        sizes.length,
        seed -> {
          Path own = Files.createDirectories(directory.resolve(kind + search.name() + seed));
          int size = lengths == ChunkFiles.Lengths.HUGE ? 60 : sizes[(int) (seed % sizes.length)];
          Map<Bytes, Bytes> tuples = ChunkFiles.tuples(Seeds.random(seed), size, lengths);
          ChunkWriter.WrittenChunk written = ChunkFiles.write(own, kind, compression(seed), tuples);
          assertThat(written.records()).isEqualTo(size);
          assertThat(written.data()).isEqualTo(FileDigest.of(own.resolve(ChunkFiles.NAME.data())));
          assertThat(written.index())
              .isEqualTo(FileDigest.of(own.resolve(ChunkFiles.NAME.index())));
          try (Chunk chunk = Chunk.open(own, ChunkFiles.NAME, search)) {
            chunk.verify();
            tuples.forEach((key, value) -> assertThat(ChunkFiles.get(chunk, key)).contains(value));
            for (int i = 0; i < 3000; i++) {
              assertThat(ChunkFiles.get(chunk, Bytes.of("no-" + i))).isEmpty();
            }
          }
        });
  }

  /** What stands in the chunk is as it was given, unless it is packed in blocks. */
  private static Compression compression(long seed) {
    return Compression.values()[(int) (seed % Compression.values().length)];
  }

  @ParameterizedTest
  @EnumSource(IndexKind.class)
  void keysWhoseHashesCollideAreToldApart(IndexKind kind) throws IOException {
    try (ChunkWriter writer =
        new ChunkWriter(kind, Compression.NONE, ChunkFiles.ALL, ChunkFiles.NAME, directory, 0)) {
      for (String key : List.of("a", "b", "c")) {
        writer.add(77, Bytes.of(key), Bytes.of(key + key));
      }
      writer.finish();
    }
    try (Chunk chunk = Chunk.open(directory, ChunkFiles.NAME, Search.BINARY)) {
      for (String key : List.of("a", "b", "c")) {
        byte[] array = Bytes.of(key).toArray();
        assertThat(chunk.copy(array, 0, 1, 77)).containsExactly(array[0], array[0]);
        assertThat(chunk.view(array, 0, 1, 77)).isEqualTo(Bytes.of(key + key).toBuffer());
      }
      assertThat(chunk.copy(new byte[] {'d'}, 0, 1, 77)).isNull();
    }
  }

  /** Fault 50: how many tuples collided is not to be believed either. */
  @Test
  void aFlippedNumberOfCollidedTuplesHidesNone() throws IOException {
    try (ChunkWriter writer = writer(IndexKind.SORTED)) {
      for (String key : List.of("a", "b", "c")) {
        writer.add(77, Bytes.of(key), Bytes.of(key + key));
      }
      writer.finish();
    }
    Path file = directory.resolve(ChunkFiles.NAME.data());
    byte[] right = Files.readAllBytes(file);
    for (int bit = 0; bit < 16; bit++) {
      byte[] wrong = right.clone();
      wrong[Footer.HEADER + bit / 8] ^= (byte) (1 << bit % 8);
      Files.write(file, wrong);
      try (Chunk chunk = Chunk.open(directory, ChunkFiles.NAME, Search.BINARY)) {
        for (String key : List.of("a", "b", "c", "d")) {
          assertThatThrownBy(() -> chunk.copy(Bytes.of(key).toArray(), 0, 1, 77))
              .as("key %s, bit %d", key, bit)
              .isInstanceOfSatisfying(
                  ServingException.class,
                  failed -> assertThat(failed.code()).isEqualTo(ErrorCode.DAMAGED));
        }
      }
    }
  }

  /**
   * Fault 50: an entry that leads to whole tuples of another hash does not say that none is there.
   */
  @Test
  void anEntryThatPointsToOtherTuplesIsNoticed() throws IOException {
    try (ChunkWriter writer = writer(IndexKind.SORTED)) {
      // The last block of entries is looked at when the chunk is opened.
      for (int i = 0; i <= SortedBlock.ENTRIES; i++) {
        writer.add(i, Bytes.of("a" + i), Bytes.of("value"));
      }
      writer.finish();
    }
    Path file = directory.resolve(ChunkFiles.NAME.index());
    byte[] bytes = Files.readAllBytes(file);
    int first = Footer.HEADER + Long.BYTES;
    System.arraycopy(bytes, first + Long.BYTES + Integer.BYTES, bytes, first, Integer.BYTES);
    Files.write(file, bytes);
    try (Chunk chunk = Chunk.open(directory, ChunkFiles.NAME, Search.BINARY)) {
      assertThatThrownBy(() -> chunk.copy(Bytes.of("a0").toArray(), 0, 2, 0))
          .isInstanceOfSatisfying(
              ServingException.class,
              failed -> assertThat(failed.code()).isEqualTo(ErrorCode.DAMAGED));
    }
  }

  /** Fault 50: files of two chunks are no chunk, though each is whole and has the right name. */
  @ParameterizedTest
  @EnumSource(IndexKind.class)
  void theIndexOfAnotherVersionIsRefused(IndexKind kind) throws IOException {
    Path other = Files.createDirectories(directory.resolve("other"));
    ChunkFiles.write(
        directory, kind, ChunkFiles.tuples(Seeds.random(1), 50, ChunkFiles.Lengths.SAME));
    ChunkFiles.write(other, kind, ChunkFiles.tuples(Seeds.random(2), 50, ChunkFiles.Lengths.SAME));
    String index = ChunkFiles.NAME.index();
    Files.copy(other.resolve(index), directory.resolve(index), StandardCopyOption.REPLACE_EXISTING);
    assertThatThrownBy(() -> Chunk.open(directory, ChunkFiles.NAME, Search.BINARY))
        .isInstanceOfSatisfying(
            ServingException.class,
            failed -> assertThat(failed.code()).isEqualTo(ErrorCode.DAMAGED))
        .hasMessageContaining("does not belong to the data file");
  }

  private ChunkWriter writer(IndexKind kind) throws IOException {
    return new ChunkWriter(kind, Compression.NONE, ChunkFiles.ALL, ChunkFiles.NAME, directory, 0);
  }

  @Test
  void manyTuplesInOneBucketAreWalked() throws IOException {
    try (ChunkWriter writer =
        new ChunkWriter(
            IndexKind.BUCKETS, Compression.NONE, ChunkFiles.ALL, ChunkFiles.NAME, directory, 0)) {
      for (int i = 0; i < 200; i++) {
        writer.add(i, Bytes.of("k" + i), Bytes.wrap(new byte[i]));
      }
      writer.finish();
    }
    try (Chunk chunk = Chunk.open(directory, ChunkFiles.NAME, Search.BINARY)) {
      for (int i = 0; i < 200; i++) {
        byte[] key = Bytes.of("k" + i).toArray();
        assertThat(chunk.copy(key, 0, key.length, i)).hasSize(i);
      }
    }
  }

  /** All tuples are damaged, so that whoever looks at one fails. */
  @ParameterizedTest
  @CsvSource({"SAME, 60", "SIMILAR, 120"})
  void thatAKeyIsAbsentIsKnownWithoutLookingAtTuples(ChunkFiles.Lengths lengths, int most)
      throws IOException {
    Map<Bytes, Bytes> tuples = ChunkFiles.tuples(Seeds.random(5), 2000, lengths);
    ChunkFiles.write(directory, IndexKind.BUCKETS, Compression.NONE, tuples);
    Path data = directory.resolve(ChunkFiles.NAME.data());
    try (Chunk chunk = Chunk.open(directory, ChunkFiles.NAME, Search.BINARY);
        FileChannel file = FileChannel.open(data, StandardOpenOption.WRITE)) {
      int body = (int) file.size() - Footer.HEADER - Footer.BYTES;
      file.write(ByteBuffer.allocate(body), Footer.HEADER);
      int looked = 0;
      for (int i = 0; i < 3000; i++) {
        try {
          assertThat(ChunkFiles.get(chunk, Bytes.of("no-" + i))).isEmpty();
        } catch (ServingException e) {
          assertThat(e.code()).isEqualTo(ErrorCode.DAMAGED);
          looked++;
        }
      }
      assertThat(looked).isLessThan(most);
    }
  }

  /** The index is not to be believed: a wrong length in it is found out at the tuple. */
  @ParameterizedTest
  @EnumSource(
      value = ChunkFiles.Lengths.class,
      names = {"SAME", "SIMILAR", "MIXED"})
  void aKeyOfAnotherLengthThanTheTupleHasIsAbsent(ChunkFiles.Lengths lengths) throws IOException {
    try (ChunkWriter writer =
        new ChunkWriter(
            IndexKind.BUCKETS, Compression.NONE, ChunkFiles.ALL, ChunkFiles.NAME, directory, 0)) {
      writer.add(9, Bytes.of("key"), Bytes.wrap(new byte[126]));
      writer.add(9, Bytes.of("keys"), Bytes.wrap(new byte[125 + lengths.ordinal() * 200]));
      writer.finish();
    }
    try (Chunk chunk = Chunk.open(directory, ChunkFiles.NAME, Search.BINARY)) {
      assertThat(chunk.copy(new byte[] {'k', 'e', 'y'}, 0, 3, 9)).hasSize(126);
      assertThat(chunk.copy(new byte[] {'k', 'e', 'y', 's'}, 0, 4, 9))
          .hasSize(125 + lengths.ordinal() * 200);
      for (int length : new int[] {1, 2, 5, 100, 127, 128, 129, 130, 200, 70_000}) {
        assertThat(chunk.copy(new byte[length], 0, length, 9)).isNull();
      }
    }
  }

  /** Fault 59: the chunk is to be written again, in an order that nobody could know. */
  @Test
  void keysChosenToMeetInOneBucketAreFoundOut() throws IOException {
    try (ChunkWriter writer =
        new ChunkWriter(
            IndexKind.BUCKETS, Compression.NONE, ChunkFiles.ALL, ChunkFiles.NAME, directory, 0)) {
      for (int i = 0; i < 256; i++) {
        writer.add(i, Bytes.of("k" + i), Bytes.EMPTY);
      }
      assertThatThrownBy(writer::finish)
          .isInstanceOfSatisfying(
              CrowdedChunkException.class, e -> assertThat(e.seed()).isNotZero());
    }
  }

  @Test
  void tuplesInTheOrderOfHashesAreInTheOrderOfPartitionsAndChunks() {
    Placement place = new Placement(12, 5);
    long step = Long.divideUnsigned(-1L, 9973);
    long last = -1;
    for (int i = 0; i < 9973; i++) {
      long hash = step * i;
      long here = place.partition(hash) * 5L + place.chunk(hash);
      assertThat(here).isGreaterThanOrEqualTo(last);
      last = here;
    }
    assertThat(last).isEqualTo(59);
    assertThat(place.partition(-1)).isEqualTo(11);
  }
}
