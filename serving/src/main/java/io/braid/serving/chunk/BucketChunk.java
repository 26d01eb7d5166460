package io.braid.serving.chunk;

import io.braid.serving.ServingException;
import java.nio.ByteBuffer;

/**
 * Lookup by a directory of buckets.
 *
 * <p>The data file has its tuples in the order of their hashes; the index cuts them into buckets of
 * 64 bytes, one cache line: a fingerprint of each tuple, its length unless all are equally long,
 * where the first one begins, how many there are, and a checksum. So a hit reads one line of the
 * index and one tuple, a miss one line alone, but for one in a hundred. Tuples beyond what a bucket
 * can describe (one in some hundred) are found by walking from the last one described; only a key
 * whose fingerprint is not below that one's can be among them.
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
  private static final long TWELVE_LANES = 0x0001001001001001L;

  /** No bit of a fingerprint. */
  private static final long BEYOND = Long.MIN_VALUE;

  private final ByteBuffer buckets;
  private final long count;
  private final int capacity;
  private final int lengthWidth;
  private final int lengths;
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
    lengths = Bucket.lengths(lengthWidth);
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
    long candidates = candidates(rest * count, tuplesHere, a, b, c, d, e, f, g);
    if (candidates != 0) {
      long location = among(candidates, bucket, tuplesHere, key, offset, length);
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

  /**
   * The described tuples whose fingerprints are equal, each a bit; and {@link #BEYOND}, if the
   * tuple can be one that is not described.
   */
  private long candidates(
      long fraction, int here, long a, long b, long c, long d, long e, long f, long g) {
    if (lengthWidth == 0) {
      long wanted = fraction >>> 48;
      return equalShorts(wanted * SHORT_LANES, a, b, c, d, e, f, g)
          | beyond(here, wanted, g >>> 32 & 0xFFFF);
    }
    if (lengthWidth == 1) {
      long wanted = fraction >>> 52;
      return equalTwelves(wanted * TWELVE_LANES, a, b, c, d)
          | beyond(here, wanted, d >>> 48 & 0xFFF);
    }
    long wanted = fraction >>> 56;
    return equalBytes(wanted * BYTE_LANES, a, b, c) | beyond(here, wanted, c >>> 8 & 0xFF);
  }

  /**
   * Tuples are in the order of their hashes, and so of their fingerprints: what is not described
   * has none below the last one that is.
   */
  private long beyond(int here, long wanted, long last) {
    return here > capacity && wanted >= last ? BEYOND : 0;
  }

  /** Looks at the tuples whose fingerprints are equal, and at those without any. */
  private long among(
      long candidates, int bucket, int tuplesHere, byte[] key, int offset, int length) {
    int described = Math.min(tuplesHere, capacity);
    for (long equal = candidates & ~BEYOND; equal != 0; equal &= equal - 1) {
      int i = numberOf(Long.numberOfTrailingZeros(equal));
      if (i < described) {
        long location = tuples.match(begin(bucket, i), tupleLength(bucket, i), key, offset, length);
        if (location != Location.ABSENT) {
          return location;
        }
      }
    }
    return candidates < 0 ? walk(bucket, tuplesHere, key, offset, length) : Location.ABSENT;
  }

  /** Returns the number of the tuple that a bit represents. */
  private int numberOf(int bit) {
    return lengthWidth == 0
        ? (bit & 15) << 2 | bit >> 4
        : lengthWidth == 1 ? bit % 12 * 5 + bit / 12 : (bit & 7) << 3 | bit >> 3;
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

  /** The same for 20 of twelve bits: number 5w + l at bit 12l + w. */
  private static long equalTwelves(long wanted, long a, long b, long c, long d) {
    return zeroTwelves(a ^ wanted) >>> 11
        | zeroTwelves(b ^ wanted) >>> 10
        | zeroTwelves(c ^ wanted) >>> 9
        | zeroTwelves(d ^ wanted) >>> 8;
  }

  private static long zeroTwelves(long word) {
    return word - TWELVE_LANES & ~word & TWELVE_LANES << 11;
  }

  /** The same for 24 of one byte: number 8w + l at bit 8l + w. */
  private static long equalBytes(long wanted, long a, long b, long c) {
    return zeroBytes(a ^ wanted) >>> 7 | zeroBytes(b ^ wanted) >>> 6 | zeroBytes(c ^ wanted) >>> 5;
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
        at += sumOfBytes(bucket + lengths, i);
      }
    }
    return (int) Math.min(at, Integer.MAX_VALUE);
  }

  /** How long the i-th tuple of a bucket is; {@link Bucket#LONG} if the bucket cannot tell. */
  private int tupleLength(int bucket, int i) {
    return lengthWidth == 0
        ? shortest
        : lengthWidth == 1
            ? shortest + (buckets.get(bucket + lengths + i) & 0xFF)
            : buckets.getShort(bucket + lengths + 2 * i) & 0xFFFF;
  }

  /** The sum of the first {@code n} of 24 bytes. */
  private int sumOfBytes(int from, int n) {
    long pairs = 0;
    for (int word = 0; word < 3; word++) {
      int some = Math.max(0, Math.min(8, n - 8 * word));
      // Shifting by 64 would not shift at all, so by twice the half of it.
      long bytes = buckets.getLong(from + 8 * word) << 4 * (8 - some) << 4 * (8 - some);
      pairs += (bytes & 0x00FF00FF00FF00FFL) + (bytes >>> 8 & 0x00FF00FF00FF00FFL);
    }
    return (int) (pairs * SHORT_LANES >>> 48);
  }

  private long beginOfLong(int bucket, int i, long base) {
    long at = base;
    int first = bucket + lengths;
    for (int j = 0; j < i; j++) {
      int length = buckets.getShort(first + 2 * j) & 0xFFFF;
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

  private ServingException wrongChecksum(int number) {
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
