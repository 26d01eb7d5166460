package io.braid.serving.chunk;

import org.apiguardian.api.API;

/**
 * Where a hash lies: the ring of 64-bit numbers is cut into equal partitions (section 3.1.2), a
 * partition into equal chunks. Tuples in the order of their hashes are therefore in the order of
 * partitions and chunks too. (The paper takes the hash modulo the number of chunks.)
 *
 * @param partitions of the ring, from 1 to 65536
 * @param chunks of each partition, from 1 to 65536
 */
@API(status = API.Status.EXPERIMENTAL)
public record Placement(int partitions, int chunks) {
  public static final int MOST = 1 << 16;

  private static final int MOST_TOGETHER = 1 << 20;

  public Placement {
    bounded("partitions", partitions);
    bounded("chunks", chunks);
    if ((long) partitions * chunks > MOST_TOGETHER) {
      throw new IllegalArgumentException(
          partitions
              + " partitions of "
              + chunks
              + " chunks are too many: at most "
              + MOST_TOGETHER
              + " chunks in all.");
    }
  }

  public int partition(long hash) {
    return (int) scaled(hash, partitions);
  }

  /** The chunk within the partition. */
  public int chunk(long hash) {
    return (int) scaled(hash * partitions, chunks);
  }

  /**
   * Returns the part of a hash that distinguishes the keys of one chunk. The parts are spread
   * evenly over all longs, in the order of the hashes.
   */
  public long rest(long hash) {
    return hash * partitions * chunks;
  }

  /** The integer part of {@code fraction / 2^64 * parts}, where both are taken as unsigned. */
  static long scaled(long fraction, long parts) {
    return Math.multiplyHigh(fraction, parts) + ((fraction >> 63) & parts);
  }

  private static void bounded(String what, int number) {
    if (number < 1 || number > MOST) {
      throw new IllegalArgumentException(
          "There can be 1 to " + MOST + " " + what + ", not " + number + ".");
    }
  }
}
