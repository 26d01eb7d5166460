package io.braid.serving.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.braid.core.data.Bytes;
import io.braid.core.failure.ErrorCode;
import io.braid.serving.ServingException;
import io.braid.testkit.Seeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Faults 46, 50 and 54: a flipped bit, or a piece that is cut off, anywhere in a file of a chunk.
 * Each key that was written gives its value or an error that says the file is damaged, each other
 * key nothing or that error.
 */
class FlippedBitTest {
  private static final int TUPLES = 70;

  @TempDir Path directory;

  static List<Arguments> kinds() {
    List<Arguments> kinds = new ArrayList<>();
    for (String file : List.of("data", "index")) {
      for (ChunkFiles.Lengths lengths :
          List.of(ChunkFiles.Lengths.SAME, ChunkFiles.Lengths.SIMILAR, ChunkFiles.Lengths.MIXED)) {
        kinds.add(Arguments.of(IndexKind.BUCKETS, Search.BINARY, lengths, file));
      }
      kinds.add(Arguments.of(IndexKind.BLOCKS, Search.BINARY, ChunkFiles.Lengths.TEXT, file));
      kinds.add(
          Arguments.of(IndexKind.BLOCKS, Search.INTERPOLATION, ChunkFiles.Lengths.SIMILAR, file));
      kinds.add(Arguments.of(IndexKind.SORTED, Search.BINARY, ChunkFiles.Lengths.SAME, file));
      kinds.add(
          Arguments.of(IndexKind.SORTED, Search.INTERPOLATION, ChunkFiles.Lengths.SIMILAR, file));
    }
    return kinds;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aFlippedBitNeverGivesAnotherAnswer(
      IndexKind kind, Search search, ChunkFiles.Lengths lengths, String which) throws IOException {
    Map<Bytes, Bytes> tuples = ChunkFiles.tuples(Seeds.random(3), TUPLES, lengths);
    ChunkFiles.write(directory, kind, packing(lengths), tuples);
    Path file = directory.resolve(ChunkFiles.NAME + "." + which);
    byte[] right = Files.readAllBytes(file);
    int step = Math.max(1, right.length * 8 / 800) | 1;
    int noticed = 0;
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        Chunk before = Chunk.open(directory, ChunkFiles.NAME, search)) {
      for (long bit = 0; bit < right.length * 8L; bit += step) {
        int at = (int) (bit / 8);
        String what = "bit " + bit;
        put(channel, at, right[at] ^ 1 << bit % 8);
        noticed += ask(before, tuples, what);
        boolean outside = at < Footer.HEADER || at >= right.length - Footer.BYTES;
        if (outside || bit % 16 == 0) {
          noticed += askOpened(search, tuples, what);
          assertThat(verifies(search)).as(what + " is verified").isFalse();
        }
        put(channel, at, right[at]);
      }
    }
    assertThat(noticed).isPositive();
  }

  private static Compression packing(ChunkFiles.Lengths lengths) {
    return lengths == ChunkFiles.Lengths.TEXT ? Compression.ZSTD : Compression.LZ4;
  }

  /** What is written so is seen by those who have the file mapped. */
  private static void put(FileChannel channel, int at, int value) throws IOException {
    channel.write(ByteBuffer.wrap(new byte[] {(byte) value}), at);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aPieceCutOffIsNoticed(
      IndexKind kind, Search search, ChunkFiles.Lengths lengths, String which) throws IOException {
    Map<Bytes, Bytes> tuples = ChunkFiles.tuples(Seeds.random(4), TUPLES, lengths);
    ChunkFiles.write(directory, kind, packing(lengths), tuples);
    Path file = directory.resolve(ChunkFiles.NAME + "." + which);
    byte[] right = Files.readAllBytes(file);
    for (int length = 0; length < right.length; length += 1 + right.length / 50) {
      Files.write(file, Arrays.copyOf(right, length));
      assertThat(opens(search)).as("length " + length).isFalse();
    }
  }

  private int askOpened(Search search, Map<Bytes, Bytes> tuples, String what) throws IOException {
    try (Chunk chunk = Chunk.open(directory, ChunkFiles.NAME, search)) {
      return ask(chunk, tuples, what);
    } catch (ServingException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.DAMAGED);
      return 1;
    }
  }

  /** Asks for every key and for others; one if any answer was an error. */
  private static int ask(Chunk chunk, Map<Bytes, Bytes> tuples, String what) {
    int noticed = 0;
    for (Map.Entry<Bytes, Bytes> tuple : tuples.entrySet()) {
      noticed |= ask(chunk, tuple.getKey(), Optional.of(tuple.getValue()), what);
    }
    for (int i = 0; i < 30; i++) {
      noticed |= ask(chunk, Bytes.of("no-" + i), Optional.empty(), what);
    }
    return noticed;
  }

  private static int ask(Chunk chunk, Bytes key, Optional<Bytes> right, String what) {
    Optional<Bytes> answer;
    try {
      answer = ChunkFiles.get(chunk, key);
    } catch (ServingException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.DAMAGED);
      return 1;
    }
    if (!answer.equals(right)) {
      fail(what + ": key " + key + " gives " + answer + " instead of " + right);
    }
    return 0;
  }

  private boolean verifies(Search search) throws IOException {
    try (Chunk chunk = Chunk.open(directory, ChunkFiles.NAME, search)) {
      chunk.verify();
      return true;
    } catch (ServingException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.DAMAGED);
      return false;
    }
  }

  private boolean opens(Search search) throws IOException {
    try (Chunk chunk = Chunk.open(directory, ChunkFiles.NAME, search)) {
      return chunk.records() >= 0;
    } catch (ServingException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.DAMAGED);
      return false;
    }
  }
}
