package io.braid.serving.chunk;

import io.braid.core.data.Bytes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Writes and asks chunks in tests. */
final class ChunkFiles {
  static final ChunkName NAME = new ChunkName(0, 0, 0);
  static final Placement ALL = new Placement(1, 1);

  private ChunkFiles() {}

  /** How long values are. */
  enum Lengths {
    SAME,
    SIMILAR,
    MIXED,
    HUGE,
    /** Values that can be packed. */
    TEXT
  }

  static Map<Bytes, Bytes> tuples(RandomGenerator random, int count, Lengths lengths) {
    Map<Bytes, Bytes> tuples = new LinkedHashMap<>();
    while (tuples.size() < count) {
      byte[] value = new byte[length(random, lengths)];
      if (lengths == Lengths.TEXT) {
        Arrays.fill(value, (byte) random.nextInt());
      } else {
        random.nextBytes(value);
      }
      tuples.put(Bytes.of("key-" + (100_000 + random.nextInt(899_999))), Bytes.wrap(value));
    }
    return tuples;
  }

  private static int length(RandomGenerator random, Lengths lengths) {
    return switch (lengths) {
      case SAME -> 20;
      case SIMILAR -> random.nextInt(100);
      case MIXED -> random.nextInt(2) == 0 ? random.nextInt(20) : random.nextInt(1000);
      case TEXT -> 300 + random.nextInt(500);
      case HUGE -> random.nextInt(10) == 0 ? 70_000 : 10;
    };
  }

  static ChunkWriter.WrittenChunk write(Path directory, IndexKind kind, Map<Bytes, Bytes> tuples)
      throws IOException {
    return write(directory, kind, Compression.NONE, tuples);
  }

  static ChunkWriter.WrittenChunk write(
      Path directory, IndexKind kind, Compression compression, Map<Bytes, Bytes> tuples)
      throws IOException {
    List<Map.Entry<Bytes, Bytes>> sorted = new ArrayList<>(tuples.entrySet());
    Comparator<Map.Entry<Bytes, Bytes>> byHash =
        (a, b) -> Long.compareUnsigned(rest(kind, a.getKey()), rest(kind, b.getKey()));
    sorted.sort(byHash.thenComparing(Map.Entry.comparingByKey()));
    try (ChunkWriter writer = new ChunkWriter(kind, compression, ALL, NAME, directory, 0)) {
      for (Map.Entry<Bytes, Bytes> tuple : sorted) {
        writer.add(rest(kind, tuple.getKey()), tuple.getKey(), tuple.getValue());
      }
      return writer.finish();
    }
  }

  static long rest(IndexKind kind, Bytes key) {
    return ALL.rest(kind.hash().of(key.toArray()));
  }

  static Optional<Bytes> get(Chunk chunk, Bytes key) {
    byte[] array = key.toArray();
    return Optional.ofNullable(chunk.copy(array, 0, array.length, rest(chunk.kind(), key)))
        .map(Bytes::wrap);
  }
}
