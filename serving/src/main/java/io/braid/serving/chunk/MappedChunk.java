package io.braid.serving.chunk;

import io.braid.serving.ServingException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A chunk whose tuples stand in the data file as they are: a value is a part of the mapping. */
abstract class MappedChunk extends Chunk {
  final Tuples tuples;

  MappedChunk(MappedFile data, MappedFile index) {
    super(data, index);
    this.tuples = new Tuples(data);
  }

  /**
   * Where the value of a key lies in the data file, or {@link Location#ABSENT}. Both are certain.
   *
   * @param rest of the key's hash
   * @throws ServingException {@code DAMAGED} when the place that would tell is damaged
   */
  abstract long find(byte[] key, int offset, int length, long rest);

  @Override
  public final @Nullable ByteBuffer view(byte[] key, int offset, int length, long rest) {
    long location = find(key, offset, length, rest);
    return location == Location.ABSENT
        ? null
        : data.bytes.slice(Location.offset(location), Location.length(location));
  }

  @Override
  public final byte @Nullable [] copy(byte[] key, int offset, int length, long rest) {
    long location = find(key, offset, length, rest);
    if (location == Location.ABSENT) {
      return null;
    }
    byte[] value = new byte[Location.length(location)];
    data.bytes.get(Location.offset(location), value);
    return value;
  }

  @Override
  final long verifyTuples() {
    long seen = 0;
    for (TupleCursor cursor = cursor(); cursor.next(); seen++) {
      byte[] key = cursor.key();
      if (find(key, 0, key.length, rest(key)) == Location.ABSENT) {
        throw index.corrupt("it does not lead to a tuple that is there");
      }
    }
    return seen;
  }

  @Override
  abstract TupleCursor cursor();

  /** One tuple after another. */
  abstract class TupleCursor extends Cursor {
    abstract byte[] key();

    @Override
    final long rest() {
      return MappedChunk.this.rest(key());
    }
  }
}
