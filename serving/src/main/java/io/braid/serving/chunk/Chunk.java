package io.braid.serving.chunk;

import io.braid.serving.ServingException;
import io.braid.serving.files.Throttle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A chunk, open for reading, by any number of threads.
 *
 * <p>The caller closes the chunk only after the last read: closing unmaps the files at once.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public abstract class Chunk implements AutoCloseable {
  private static final int PAGE = 4096;

  final MappedFile data;
  final MappedFile index;
  private final long seed;

  Chunk(MappedFile data, MappedFile index) {
    this.data = data;
    this.index = index;
    this.seed = index.footer.seed();
  }

  /**
   * Maps the files of a chunk.
   *
   * @throws ServingException {@code DAMAGED} when they are not a pair as it was written
   */
  public static Chunk open(Path directory, ChunkName name, Search search) throws IOException {
    MappedFile data = MappedFile.open(directory.resolve(name.data()), Footer.DATA_MAGIC);
    try {
      MappedFile index = MappedFile.open(directory.resolve(name.index()), Footer.INDEX_MAGIC);
      try {
        return of(data, index, name, search);
      } catch (RuntimeException e) {
        index.close();
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      data.close();
      throw e;
    }
  }

  private static Chunk of(MappedFile data, MappedFile index, ChunkName name, Search search) {
    Footer footer = index.footer;
    if (!footer.sameChunk(data.footer)) {
      throw index.corrupt("it does not belong to the data file beside it");
    }
    if (footer.partition() != name.partition() || footer.chunk() != name.chunk()) {
      throw index.corrupt("it is the index of another chunk");
    }
    return switch (footer.kind()) {
      case BUCKETS -> new BucketChunk(data, index);
      case SORTED -> new SortedChunk(data, index, search);
      case BLOCKS -> new BlockChunk(data, index, search);
    };
  }

  /**
   * Returns the hash by which a key is found in this chunk.
   *
   * @param rest of the key's hash, {@link Placement#rest Placement.rest}
   */
  public final long rest(long rest, byte[] key, int offset, int length) {
    return seed == 0 ? rest : SeededHash.of(seed, key, offset, length);
  }

  final long rest(byte[] key) {
    return rest(place().rest(kind().hash().of(key)), key, 0, key.length);
  }

  /**
   * Looks a key up. Both answers are certain.
   *
   * @param rest of the key, {@link #rest rest}
   * @return a read-only view of its value, valid until the chunk is closed; null: there is none
   * @throws ServingException {@code DAMAGED} when the place that would tell is damaged
   */
  public abstract @Nullable ByteBuffer view(byte[] key, int offset, int length, long rest);

  /** As {@link #view view}, copied. */
  public abstract byte @Nullable [] copy(byte[] key, int offset, int length, long rest);

  /** The mapped data file. Valid until the chunk is closed. */
  final ByteBuffer data() {
    return data.bytes;
  }

  public IndexKind kind() {
    return index.footer.kind();
  }

  public Placement place() {
    return index.footer.place();
  }

  public long records() {
    return index.footer.records();
  }

  public long indexBytes() {
    return index.bytes.limit();
  }

  public long dataBytes() {
    return data.bytes.limit();
  }

  /**
   * Reads everything and compares it with its checksums, and looks every key up.
   *
   * @throws ServingException {@code DAMAGED} at the first damage
   */
  public void verify() {
    if (data.checksum(Footer.HEADER, data.end()) != data.footer.dataChecksum()) {
      throw data.corrupt("the checksum of its body is wrong");
    }
    verifyIndex();
    long seen = verifyTuples();
    if (seen != records()) {
      throw data.corrupt("it holds " + seen + " tuples instead of " + records());
    }
  }

  /**
   * Touches every page of the index, so that it is in memory before the first reader comes, as fast
   * as others let it.
   */
  public int warm(Throttle throttle) {
    int sum = 0;
    for (int i = 0; i < index.bytes.limit(); i += PAGE) {
      throttle.pass(PAGE);
      sum += index.bytes.get(i);
    }
    return sum;
  }

  abstract void verifyIndex();

  /** Looks every key up that is there, and answers how many there are. */
  abstract long verifyTuples();

  /** Walks what is there in the order of the file, which is that of hashes. */
  abstract Cursor cursor();

  /** A piece of the data file: a tuple, or a block of them. */
  abstract static class Cursor {
    abstract boolean next();

    /** The hash of its first tuple, {@link Placement#rest Placement.rest}. */
    abstract long rest();

    /** Where the next piece's bytes begin: what lies between two of these belongs together. */
    abstract int end();
  }

  @Override
  public void close() {
    index.close();
    data.close();
  }
}
