package io.braid.serving.chunk;

/**
 * The layout of a bucket: fingerprints from 0 on, then lengths, and at the end where its tuples
 * begin, how many there are, and the checksum over all that, mixed with the bucket's number.
 */
final class Bucket {
  static final int BYTES = 64;
  static final int BASE = 54;
  static final int COUNT = 59;
  static final int CHECKSUM = 60;

  /** The most tuples of one bucket. */
  static final int MOST = 255;

  /** Stands for a length that does not fit; the tuple itself tells. */
  static final int LONG = 0xFFFF;

  private Bucket() {}

  /** How many bytes the length of a tuple takes, given the extremes of the chunk. */
  static int lengthWidth(int shortest, int longest) {
    return shortest == longest ? 0 : longest - shortest <= 0xFF ? 1 : 2;
  }

  /** Bytes of a fingerprint: two where there is room. */
  static int fingerprintWidth(int lengthWidth) {
    return lengthWidth == 0 ? 2 : 1;
  }

  /** How many tuples a bucket can describe. */
  static int capacity(int lengthWidth) {
    return BASE / (fingerprintWidth(lengthWidth) + lengthWidth);
  }

  /** How many tuples a bucket has on average, so that few have more than it can describe. */
  static int load(int lengthWidth) {
    return lengthWidth == 2 ? 16 : 21;
  }
}
