package io.braid.serving.chunk;

import java.nio.ByteBuffer;

/**
 * The paper's index (section 4.1): eight bytes of MD5 and the offset of the tuples with that hash,
 * sorted; searched by halves or by interpolation (section 4.2.2). In the data file stands the
 * number of tuples that collided, then these.
 *
 * <p>Entries stand in blocks of 256 bytes with a checksum each. A search may be led astray by a
 * damaged entry; but whatever way it took, a key is absent if and only if two neighbours enclose
 * its hash. So the blocks of these two are checked before ABSENT is said.
 */
final class SortedChunk extends Chunk {
  private final ByteBuffer entries;
  private final int count;
  private final Search search;

  SortedChunk(MappedFile data, MappedFile index, Search search) {
    super(data, index);
    this.entries = index.bytes;
    this.search = search;
    long body = index.footer.body();
    long blocks = body / SortedBlock.BYTES;
    if (body % SortedBlock.BYTES != 0) {
      throw index.corrupt("it has no whole number of blocks");
    }
    this.count = blocks == 0 ? 0 : lastBlock((int) blocks);
  }

  /** The number of entries: full blocks, and what the last one says it holds. */
  private int lastBlock(int blocks) {
    verifyBlock(blocks - 1);
    int full = (blocks - 1) * SortedBlock.ENTRIES;
    int n = 0;
    while (n < SortedBlock.ENTRIES && offsetOf(full + n) != 0) {
      n++;
    }
    return full + n;
  }

  @Override
  public long find(byte[] key, int offset, int length, long rest) {
    int i = search == Search.BINARY ? halves(rest) : interpolated(rest);
    if (i < count && hashOf(i) == rest) {
      long location = among(offsetOf(i), key, offset, length);
      if (location == Location.ABSENT) {
        verifyBlock(i / SortedBlock.ENTRIES);
      }
      return location;
    }
    enclosed(i, rest);
    return Location.ABSENT;
  }

  /** The first entry that is not below {@code rest}, in unsigned order. */
  private int halves(long rest) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Long.compareUnsigned(hashOf(middle), rest) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * As {@link #halves}; the guess is where the hash would stand if those between the two ends were
   * spread evenly. Guesses that do not halve the range soon give way to halving, so that damaged
   * entries cannot make the search long.
   */
  private int interpolated(long rest) {
    int low = 0;
    int high = count;
    double least = 0;
    double most = 0x1p64;
    double wanted = unsigned(rest);
    for (int step = 0; low < high; step++) {
      int guess = (low + high) >>> 1;
      if (step < 16 && most > least) {
        int even = low + (int) ((wanted - least) / (most - least) * (high - low));
        guess = Math.max(low, Math.min(high - 1, even));
      }
      long hash = hashOf(guess);
      if (hash == rest) {
        return guess;
      }
      if (Long.compareUnsigned(hash, rest) < 0) {
        low = guess + 1;
        least = unsigned(hash);
      } else {
        high = guess;
        most = unsigned(hash);
      }
    }
    return low;
  }

  private static double unsigned(long number) {
    return (number >>> 1) * 2.0;
  }

  private long among(int group, byte[] key, int offset, int length) {
    if (group < Footer.HEADER || group > data.end() - SortedBlock.GROUP) {
      throw index.corrupt("an entry points outside of the data");
    }
    int collided = data.bytes.getShort(group) & 0xFFFF;
    int at = group + SortedBlock.GROUP;
    for (int i = 0; i == 0 || i < collided; i++) {
      long location = tuples.match(at, key, offset, length, SortedBlock.salt(collided, i));
      if (location != Location.ABSENT) {
        return location;
      }
      at = tuples.end(at);
    }
    return Location.ABSENT;
  }

  private void enclosed(int i, long rest) {
    if (i > 0) {
      verifyBlock((i - 1) / SortedBlock.ENTRIES);
    }
    if (i < count && (i == 0 || i % SortedBlock.ENTRIES == 0)) {
      verifyBlock(i / SortedBlock.ENTRIES);
    }
    if ((i > 0 && Long.compareUnsigned(hashOf(i - 1), rest) >= 0)
        || (i < count && Long.compareUnsigned(hashOf(i), rest) <= 0)) {
      throw index.corrupt("its entries are not in order");
    }
  }

  private long hashOf(int i) {
    return entries.getLong(SortedBlock.position(i));
  }

  private int offsetOf(int i) {
    return entries.getInt(SortedBlock.position(i) + 8);
  }

  private void verifyBlock(int block) {
    int from = Footer.HEADER + block * SortedBlock.BYTES;
    int to = from + SortedBlock.CHECKSUM;
    if ((index.checksum(from, to) ^ block) != entries.getInt(to)) {
      throw index.corrupt("the checksum of block " + block + " is wrong");
    }
  }

  @Override
  void verifyIndex() {
    for (int block = 0; block < index.footer.body() / SortedBlock.BYTES; block++) {
      verifyBlock(block);
    }
  }

  @Override
  Cursor cursor() {
    return new Cursor() {
      private int at;
      private int next = Footer.HEADER;
      private int left;

      @Override
      boolean next() {
        at = next;
        if (at >= data.end()) {
          return false;
        }
        if (left == 0) {
          left = data.bytes.getShort(at) & 0xFFFF;
          at += SortedBlock.GROUP;
        }
        left--;
        next = tuples.end(at);
        return true;
      }

      @Override
      int end() {
        return next;
      }

      @Override
      byte[] key() {
        return tuples.key(at);
      }
    };
  }
}
