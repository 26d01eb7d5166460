package io.braid.benchmarks;

import com.spotify.sparkey.CompressionType;
import com.spotify.sparkey.Sparkey;
import com.spotify.sparkey.SparkeyReader;
import com.spotify.sparkey.SparkeyWriter;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Sparkey, uncompressed, with its defaults. */
final class SparkeyPeer implements ServedPeer {
  private final SparkeyReader reader;
  private final long indexBytes;

  private SparkeyPeer(SparkeyReader reader, long indexBytes) {
    this.reader = reader;
    this.indexBytes = indexBytes;
  }

  static SparkeyPeer load(Path directory, Tuples tuples) throws Exception {
    File file = file(directory);
    try (SparkeyWriter writer = Sparkey.createNew(file, CompressionType.NONE, 0)) {
      tuples.forEach(writer::put);
      writer.writeHash();
    }
    return open(directory);
  }

  private static File file(Path directory) {
    return directory.resolve("sparkey.spi").toFile();
  }

  /** Opens a store that was loaded before. */
  static SparkeyPeer open(Path directory) throws IOException {
    File file = file(directory);
    return new SparkeyPeer(
        Sparkey.openSingleThreadedReader(file), Sparkey.getIndexFile(file).length());
  }

  @Override
  public byte @Nullable [] get(byte[] key) throws IOException {
    return reader.getAsByteArray(key);
  }

  @Override
  public long indexBytes() {
    return indexBytes;
  }

  @Override
  public void close() {
    reader.close();
  }
}
