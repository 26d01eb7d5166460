package io.braid.serving.chunk;

import io.braid.core.data.Bytes;
import io.braid.core.data.Encoder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Gathers neighbouring tuples into blocks that are packed as a whole.
 *
 * <p>Where a block ends depends, but for its least and its most size, on the hash of the tuple
 * behind it: so a tuple that is added or changed moves the ends of few blocks, and a delta finds
 * the others where they were. Tuples with one hash are never parted.
 */
final class BlockWriter {
  /** The checksum and the length in front of what a block was packed to. */
  static final int HEADER = 8;

  private static final int LEAST = 8 << 10;
  private static final int MOST = 32 << 10;
  private static final int SPREAD = 0x9E3779B1;

  private final Compression compression;
  private final FileSink data;
  private final TupleList list;
  private Encoder plain = new Encoder(MOST);
  private long size;
  private long first;
  private long last;

  BlockWriter(Compression compression, FileSink data, TupleList list) {
    this.compression = compression;
    this.data = data;
    this.list = list;
  }

  void add(long rest, Bytes key, Bytes value) throws IOException {
    if (size > 0 && rest != last && (size >= MOST || (size >= LEAST && isEnd(rest)))) {
      end();
    }
    if (size == 0) {
      first = rest;
    }
    last = rest;
    long length =
        Tuples.width(key.length()) + Tuples.width(value.length()) + key.length() + value.length();
    size += length;
    if (size > Limits.BLOCK) {
      throw new IllegalArgumentException(
          "Values whose keys collide are too large for one block, under key "
              + key
              + " and others. Build the store with another index.");
    }
    plain.varint(key.length()).varint(value.length()).raw(key).raw(value);
  }

  /** One tuple in sixteen. */
  private static boolean isEnd(long rest) {
    return (int) (rest ^ rest >>> 32) * SPREAD >>> 28 == 0;
  }

  void end() throws IOException {
    if (size == 0) {
      return;
    }
    Bytes packed = compression.pack(plain.finish());
    if (data.position() + HEADER + packed.length() > Limits.CHUNK) {
      throw new IllegalArgumentException(
          "A chunk would pass 2 GiB. Build the store with more chunks.");
    }
    ByteBuffer block = ByteBuffer.allocate(HEADER + packed.length()).order(ByteOrder.LITTLE_ENDIAN);
    block.putInt(4, packed.length());
    packed.copyTo(block.array(), HEADER);
    CRC32C crc = new CRC32C();
    crc.update(block.array(), 4, block.capacity() - 4);
    block.putInt(0, (int) crc.getValue() ^ salt(first));
    list.add(first, (int) data.position());
    data.add(block.array(), 0, block.capacity());
    plain = new Encoder(MOST);
    size = 0;
  }

  /**
   * Returns the number that is mixed into a block's checksum. So the checksum also covers the hash
   * in the block's index entry.
   */
  static int salt(long first) {
    return (int) (first ^ first >>> 32);
  }
}
