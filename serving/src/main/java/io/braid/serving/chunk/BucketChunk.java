package io.braid.serving.chunk;

import java.nio.ByteBuffer;

/**
 * Lookup by a directory of buckets.
 *
 * <p>The data file has its tuples in the order of their hashes; the index cuts them into buckets of
 * 64 bytes, one cache line: a fingerprint of each tuple, its length unless all are equally long,
 * where the first one begins, how many there are, and a checksum. So a hit reads one line of the
 * index and one tuple, a miss mostly one line alone. Tuples beyond what a bucket can describe (one
 * in some hundred) are found by walking from the last one described.
 *
 * <p>All fingerprints of a bucket are compared before any is looked at, and lengths are added up
 * eight at a time: a processor that had to guess how far a loop goes would lose more by guessing
 * wrong than the whole loop costs.
 *
 * <p>What is found is certain by the tuple's own checksum. That nothing is to be found rests on the
 * bucket, so its checksum is compared before ABSENT is said.
 */
final class BucketChunk extends MappedChunk {
  private static final long BYTE_LANES = 0x0101010101010101L;
  private static final long SHORT_LANES = 0x0001000100010001L;

  private final ByteBuffer buckets;
  private final long count;
  private final int capacity;
  private final int lengthWidth;
  private final int shortest;

  BucketChunk(MappedFile data, MappedFile index) {
    super(data, index);
    Footer footer = index.footer;
    buckets = index.bytes;
    count = footer.body() / Bucket.BYTES;
    lengthWidth = footer.lengthWidth();
    if (count < 1 || footer.body() % Bucket.BYTES != 0 || lengthWidth < 0 || lengthWidth > 2) {
      throw index.corrupt("it has no whole number of buckets");
    }
    shortest = footer.shortest();
    capacity = Bucket.capacity(lengthWidth);
  }

  @Override
  long find(byte[] key, int offset, int length, long rest) {
    int number = (int) Placement.scaled(rest, count);
    int bucket = Footer.HEADER + number * Bucket.BYTES;
    // All of the line, once: a miss compares it and proves it by the same eight loads.
    long a = buckets.getLong(bucket);
    long b = buckets.getLong(bucket + 8);
    long c = buckets.getLong(bucket + 16);
    long d = buckets.getLong(bucket + 24);
    long e = buckets.getLong(bucket + 32);
    long f = buckets.getLong(bucket + 40);
    long g = buckets.getLong(bucket + 48);
    long h = buckets.getLong(bucket + 56);
    int tuplesHere = (int) (h >>> 8 * (Bucket.COUNT - 56)) & 0xFF;
    long fraction = rest * count;
    long equal =
        lengthWidth == 0
            ? equalShorts((fraction >>> 48) * SHORT_LANES, a, b, c, d, e, f, g)
            : equalBytes((fraction >>> 56) * BYTE_LANES, a, b, c, d);
    if (equal != 0 || tuplesHere > capacity) {
      long location = among(equal, bucket, tuplesHere, key, offset, length);
      if (location != Location.ABSENT) {
        return location;
      }
    }
    if (Bucket.checksum(number, a, b, c, d, e, f, g, h)
        != (int) (h >>> 8 * (Bucket.CHECKSUM - 56))) {
      throw wrongChecksum(number);
    }
    return Location.ABSENT;
  }

  /** Looks at the tuples whose fingerprints are equal, and at those without any. */
  private long among(
      long fingerprints, int bucket, int tuplesHere, byte[] key, int offset, int length) {
    int described = Math.min(tuplesHere, capacity);
    boolean wide = lengthWidth == 0;
    for (long equal = fingerprints; equal != 0; equal &= equal - 1) {
      int bit = Long.numberOfTrailingZeros(equal);
      int i = wide ? (bit & 15) << 2 | bit >> 4 : (bit & 7) << 3 | bit >> 3;
      if (i < described) {
        long location = tuples.match(begin(bucket, i), key, offset, length, 0);
        if (location != Location.ABSENT) {
          return location;
        }
      }
    }
    return tuplesHere > capacity ? walk(bucket, tuplesHere, key, offset, length) : Location.ABSENT;
  }

  /**
   * Where the first 28 fingerprints of two bytes equal the wanted one: number 4w + l at bit 16l +
   * w. A bit too many is possible, one too few is not.
   */
  private static long equalShorts(
      long wanted, long a, long b, long c, long d, long e, long f, long g) {
    return zeroShorts(a ^ wanted) >>> 15
        | zeroShorts(b ^ wanted) >>> 14
        | zeroShorts(c ^ wanted) >>> 13
        | zeroShorts(d ^ wanted) >>> 12
        | zeroShorts(e ^ wanted) >>> 11
        | zeroShorts(f ^ wanted) >>> 10
        | zeroShorts(g ^ wanted) >>> 9;
  }

  /** The top bit of each two bytes that are zero. */
  private static long zeroShorts(long word) {
    return word - SHORT_LANES & ~word & SHORT_LANES << 15;
  }

  /** The same for 32 of one byte: number 8w + l at bit 8l + w. */
  private static long equalBytes(long wanted, long a, long b, long c, long d) {
    return zeroBytes(a ^ wanted) >>> 7
        | zeroBytes(b ^ wanted) >>> 6
        | zeroBytes(c ^ wanted) >>> 5
        | zeroBytes(d ^ wanted) >>> 4;
  }

  private static long zeroBytes(long word) {
    return word - BYTE_LANES & ~word & BYTE_LANES << 7;
  }

  /** Where the i-th tuple of a bucket begins. */
  private int begin(int bucket, int i) {
    long at = base(bucket);
    if (lengthWidth == 2) {
      at = beginOfLong(bucket, i, at);
    } else {
      at += (long) i * shortest;
      if (lengthWidth == 1) {
        at += sumOfBytes(bucket + capacity, i);
      }
    }
    return (int) Math.min(at, Integer.MAX_VALUE);
  }

  /** The sum of the first {@code n} of 32 bytes. */
  private int sumOfBytes(int from, int n) {
    long pairs = 0;
    for (int word = 0; word < 4; word++) {
      int some = Math.max(0, Math.min(8, n - 8 * word));
      // Shifting by 64 would not shift at all, so by twice the half of it.
      long bytes = buckets.getLong(from + 8 * word) << 4 * (8 - some) << 4 * (8 - some);
      pairs += (bytes & 0x00FF00FF00FF00FFL) + (bytes >>> 8 & 0x00FF00FF00FF00FFL);
    }
    return (int) (pairs * SHORT_LANES >>> 48);
  }

  private long beginOfLong(int bucket, int i, long base) {
    long at = base;
    int lengths = bucket + capacity;
    for (int j = 0; j < i; j++) {
      int length = buckets.getShort(lengths + 2 * j) & 0xFFFF;
      at = length == Bucket.LONG ? tuples.end((int) Math.min(at, Integer.MAX_VALUE)) : at + length;
    }
    return at;
  }

  private long walk(int bucket, int tuplesHere, byte[] key, int offset, int length) {
    int at = begin(bucket, capacity);
    for (int i = capacity; i < tuplesHere; i++) {
      long location = tuples.match(at, key, offset, length, 0);
      if (location != Location.ABSENT) {
        return location;
      }
      at = tuples.end(at);
    }
    return Location.ABSENT;
  }

  private long base(int bucket) {
    return (buckets.getInt(bucket + Bucket.BASE) & 0xFFFFFFFFL)
        | (buckets.get(bucket + Bucket.BASE + 4) & 0xFFL) << 32;
  }

  private void verifyBucket(int number) {
    int bucket = Footer.HEADER + number * Bucket.BYTES;
    if (Bucket.checksum(buckets, bucket, number) != buckets.getInt(bucket + Bucket.CHECKSUM)) {
      throw wrongChecksum(number);
    }
  }

  private CorruptChunkException wrongChecksum(int number) {
    return index.corrupt("the checksum of bucket " + number + " is wrong");
  }

  @Override
  void verifyIndex() {
    for (int number = 0; number < count; number++) {
      verifyBucket(number);
    }
  }

  @Override
  TupleCursor cursor() {
    return new TupleCursor() {
      private int at;
      private int next = Footer.HEADER;

      @Override
      boolean next() {
        at = next;
        if (at < data.end()) {
          next = tuples.end(at);
          return true;
        }
        return false;
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
