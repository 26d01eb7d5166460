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
 * <p>What is found is certain by the tuple's own checksum. That nothing is to be found rests on the
 * bucket, so its checksum is compared before ABSENT is said.
 */
final class BucketChunk extends Chunk {
  private final ByteBuffer buckets;
  private final long count;
  private final int capacity;
  private final int width;
  private final int lengthWidth;
  private final int shortest;
  private final long lanes;

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
    width = Bucket.fingerprintWidth(lengthWidth);
    capacity = Bucket.capacity(lengthWidth);
    lanes = width == 1 ? 0x0101010101010101L : 0x0001000100010001L;
  }

  @Override
  public long find(byte[] key, int offset, int length, long rest) {
    int number = (int) Placement.scaled(rest, count);
    int bucket = Footer.HEADER + number * Bucket.BYTES;
    int tuplesHere = buckets.get(bucket + Bucket.COUNT) & 0xFF;
    int described = Math.min(tuplesHere, capacity);
    int bits = width * 8;
    long wanted = ((rest * count) >>> (64 - bits)) * lanes;
    long tops = lanes << (bits - 1);
    for (int first = 0; first < described; first += 8 / width) {
      long differences = buckets.getLong(bucket + first * width) ^ wanted;
      long equal = differences - lanes & ~differences & tops;
      while (equal != 0) {
        int i = first + Long.numberOfTrailingZeros(equal) / bits;
        if (i >= described) {
          break;
        }
        equal &= equal - 1;
        long location = at(bucket, i, key, offset, length);
        if (location != Location.ABSENT) {
          return location;
        }
      }
    }
    if (tuplesHere > capacity) {
      long location = walk(bucket, tuplesHere, key, offset, length);
      if (location != Location.ABSENT) {
        return location;
      }
    }
    verifyBucket(number);
    return Location.ABSENT;
  }

  private long at(int bucket, int i, byte[] key, int offset, int length) {
    return tuples.match(begin(bucket, i), key, offset, length, 0);
  }

  /** Where the i-th tuple of a bucket begins. */
  private int begin(int bucket, int i) {
    long at = base(bucket);
    if (lengthWidth == 0) {
      at += (long) i * shortest;
    } else if (lengthWidth == 1) {
      int lengths = bucket + capacity;
      at += (long) i * shortest;
      for (int j = 0; j < i; j++) {
        at += buckets.get(lengths + j) & 0xFF;
      }
    } else {
      at = beginOfLong(bucket, i, at);
    }
    return (int) Math.min(at, Integer.MAX_VALUE);
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
    int checksum = index.checksum(bucket, bucket + Bucket.CHECKSUM) ^ number;
    if (checksum != buckets.getInt(bucket + Bucket.CHECKSUM)) {
      throw index.corrupt("the checksum of bucket " + number + " is wrong");
    }
  }

  @Override
  void verifyIndex() {
    for (int number = 0; number < count; number++) {
      verifyBucket(number);
    }
  }

  @Override
  Cursor cursor() {
    return new Cursor() {
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
