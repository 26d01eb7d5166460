package io.braid.serving.chunk;

import io.braid.core.data.Bytes;
import io.braid.core.data.Decoder;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Lookup in blocks of tuples that were packed together: neighbours in the order of hashes, some ten
 * to thirty kilobytes. The index has one entry for each block, its first hash and its place, laid
 * out and searched as that of {@link SortedChunk}. For stores that are larger than memory: a read
 * unpacks a whole block.
 *
 * <p>What is found is certain by the block's checksum. A key is absent if and only if the block
 * whose hashes enclose its own does not have it; that it is this block is proved by the entries of
 * the block and of the next one, so their checksums are compared before that is said.
 */
final class BlockChunk extends Chunk {
  private final SortedEntries entries;
  private final Compression compression;

  BlockChunk(MappedFile data, MappedFile index, Search search) {
    super(data, index);
    entries = new SortedEntries(index, search);
    Compression packed = Compression.coded(index.footer.lengthWidth());
    if (packed == null) {
      throw index.corrupt("it is packed in a way that this Braid does not know");
    }
    compression = packed;
  }

  @Override
  public @Nullable ByteBuffer view(byte[] key, int offset, int length, long rest) {
    Bytes value = value(key, offset, length, rest);
    return value == null ? null : value.toBuffer();
  }

  @Override
  public byte @Nullable [] copy(byte[] key, int offset, int length, long rest) {
    Bytes value = value(key, offset, length, rest);
    return value == null ? null : value.toArray();
  }

  private @Nullable Bytes value(byte[] key, int offset, int length, long rest) {
    int next = entries.notBelow(rest);
    int block = next < entries.count() && entries.hash(next) == rest ? next : next - 1;
    if (block >= 0) {
      Walk walk = new Walk(block);
      while (walk.next()) {
        if (walk.key.length() == length && walk.key.equals(Bytes.wrap(key, offset, length))) {
          return walk.value;
        }
      }
    }
    entries.verifyEnclosed(block, rest);
    return null;
  }

  /** The tuples of a block. */
  private final class Walk {
    private final int block;
    private final Decoder tuples;
    private Bytes key = Bytes.EMPTY;
    private Bytes value = Bytes.EMPTY;

    Walk(int block) {
      this.block = block;
      this.tuples = new Decoder(plain(block));
    }

    boolean next() {
      if (tuples.remaining() == 0) {
        return false;
      }
      try {
        int keyLength = tuples.count(Limits.KEY);
        int valueLength = tuples.count(Limits.STORED);
        key = tuples.raw(keyLength);
        value = tuples.raw(valueLength);
        return true;
      } catch (IllegalArgumentException e) {
        throw data.corrupt("block " + block + " holds no tuples: " + e.getMessage());
      }
    }
  }

  private Bytes plain(int block) {
    int at = entries.number(block);
    int length = end(block) - at - BlockWriter.HEADER;
    int from = at + BlockWriter.HEADER;
    int expected = BlockWriter.salt(entries.hash(block)) ^ data.bytes.getInt(at);
    if (data.checksum(at + 4, from + length) != expected) {
      throw data.corrupt("the checksum of block " + block + " is wrong");
    }
    byte[] packed = new byte[length];
    data.bytes.get(from, packed);
    try {
      return compression.unpack(Bytes.wrap(packed), Limits.BLOCK);
    } catch (IllegalArgumentException e) {
      throw data.corrupt("block " + block + " cannot be unpacked: " + e.getMessage());
    }
  }

  /** Where a block ends, inside of the file. */
  private int end(int block) {
    int at = entries.number(block);
    if (at < Footer.HEADER || at > data.end() - BlockWriter.HEADER) {
      throw index.corrupt("an entry points outside of the data");
    }
    long end = at + BlockWriter.HEADER + (long) data.bytes.getInt(at + 4);
    if (end < at + BlockWriter.HEADER || end > data.end()) {
      throw data.corrupt("block " + block + " has an impossible length");
    }
    return (int) end;
  }

  @Override
  void verifyIndex() {
    entries.verify();
  }

  @Override
  long verifyTuples() {
    long seen = 0;
    int at = Footer.HEADER;
    for (int block = 0; block < entries.count(); block++) {
      if (entries.number(block) != at) {
        throw index.corrupt("an entry does not point to where a block begins");
      }
      at = end(block);
      for (Walk walk = new Walk(block); walk.next(); seen++) {
        long rest = rest(walk.key.toArray());
        if (!entries.encloses(block, rest)) {
          throw index.corrupt("it does not lead to a tuple that is there");
        }
      }
    }
    return seen;
  }

  /** Block after block. */
  @Override
  Cursor cursor() {
    return new Cursor() {
      private int block = -1;

      @Override
      boolean next() {
        return ++block < entries.count();
      }

      @Override
      long rest() {
        return entries.hash(block);
      }

      @Override
      int end() {
        return BlockChunk.this.end(block);
      }
    };
  }
}
