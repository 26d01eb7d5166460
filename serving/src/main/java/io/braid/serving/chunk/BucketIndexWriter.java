package io.braid.serving.chunk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Writes the directory of buckets; see {@link Bucket} for their layout. */
final class BucketIndexWriter {
  private final FileSink sink;
  private final long count;
  private final int lengthWidth;
  private final int fingerprintBits;
  private final int inWord;
  private final int capacity;
  private final int lengths;
  private final int shortest;
  private final ByteBuffer bucket =
      ByteBuffer.allocate(Bucket.BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private int number;
  private int tuples;
  private long at = Footer.HEADER;

  BucketIndexWriter(FileSink sink, Footer footer) {
    this.sink = sink;
    this.lengthWidth = footer.lengthWidth();
    this.shortest = footer.shortest();
    this.fingerprintBits = Bucket.fingerprintBits(lengthWidth);
    this.inWord = Bucket.fingerprintsInWord(lengthWidth);
    this.capacity = Bucket.capacity(lengthWidth);
    this.lengths = Bucket.lengths(lengthWidth);
    int load = Bucket.load(lengthWidth);
    this.count = Math.max(1, (footer.records() + load - 1) / load);
  }

  /**
   * Returns false when more keys fall into one bucket than it can have. Such keys were chosen on
   * purpose.
   */
  boolean write(TupleList.Reader list) throws IOException {
    try (list) {
      begin();
      while (list.next()) {
        int wanted = (int) Placement.scaled(list.rest(), count);
        while (number < wanted) {
          end();
        }
        if (!add((list.rest() * count) >>> (64 - fingerprintBits), list.number())) {
          return false;
        }
      }
      while (number < count) {
        end();
      }
      return true;
    }
  }

  private void begin() {
    Arrays.fill(bucket.array(), (byte) 0);
    bucket.putInt(Bucket.BASE, (int) at).put(Bucket.BASE + 4, (byte) (at >>> 32));
    tuples = 0;
  }

  /** False when the bucket is full. */
  private boolean add(long fingerprint, int length) {
    if (tuples == Bucket.MOST) {
      return false;
    }
    if (tuples < capacity) {
      int word = tuples / inWord * Long.BYTES;
      int lane = tuples % inWord * fingerprintBits;
      bucket.putLong(word, bucket.getLong(word) | fingerprint << lane);
      if (lengthWidth == 1) {
        bucket.put(lengths + tuples, (byte) (length - shortest));
      } else if (lengthWidth == 2) {
        bucket.putShort(lengths + 2 * tuples, (short) Math.min(length, Bucket.LONG));
      }
    }
    tuples++;
    at += length;
    return true;
  }

  private void end() throws IOException {
    bucket.put(Bucket.COUNT, (byte) tuples);
    bucket.putInt(Bucket.CHECKSUM, Bucket.checksum(bucket, 0, number));
    sink.add(bucket.array(), 0, Bucket.BYTES);
    number++;
    begin();
  }
}
