package io.braid.serving.chunk;

import java.nio.ByteBuffer;

/**
 * The layout of a bucket: fingerprints from 0 on, then lengths, and at the end where its tuples
 * begin, how many there are, and the checksum over all that and the bucket's number.
 */
final class Bucket {
  static final int BYTES = 64;
  static final int BASE = 54;
  static final int COUNT = 59;
  static final int CHECKSUM = 60;

  /** The most tuples of one bucket. */
  static final int MOST = 255;

  /** Marks a length that does not fit; the tuple itself has the length. */
  static final int LONG = 0xFFFF;

  private Bucket() {}

  /** How many bytes the length of a tuple takes, given the extremes of the chunk. */
  static int lengthWidth(int shortest, int longest) {
    return shortest == longest ? 0 : longest - shortest <= 0xFF ? 1 : 2;
  }

  /** Bits of a fingerprint: as many as there is room for beside the lengths. */
  static int fingerprintBits(int lengthWidth) {
    return lengthWidth == 0 ? 16 : lengthWidth == 1 ? 12 : 8;
  }

  /** Fingerprints in a word of eight bytes; they never lie across two words. */
  static int fingerprintsInWord(int lengthWidth) {
    return Long.SIZE / fingerprintBits(lengthWidth);
  }

  /** How many tuples a bucket can describe. */
  static int capacity(int lengthWidth) {
    return lengthWidth == 0 ? 27 : lengthWidth == 1 ? 20 : 18;
  }

  /** Where the lengths begin in a bucket. */
  static int lengths(int lengthWidth) {
    return lengthWidth == 1 ? 32 : 18;
  }

  /** How many tuples a bucket has on average, so that few have more than it can describe. */
  static int load(int lengthWidth) {
    return lengthWidth == 0 ? 21 : 16;
  }

  /**
   * The checksum of the bucket at {@code at}: the upper half of the sum of its fifteen 32-bit words
   * and its number, each times an odd number of its own. One or two flipped bits always change it
   * (BucketTest); of other damages it misses one in four billion. A CRC would cost a miss, which
   * reads nothing but this cache line, several times as much.
   *
   * @param bytes in little-endian order
   */
  static int checksum(ByteBuffer bytes, int at, int number) {
    return checksum(
        number,
        bytes.getLong(at),
        bytes.getLong(at + 8),
        bytes.getLong(at + 16),
        bytes.getLong(at + 24),
        bytes.getLong(at + 32),
        bytes.getLong(at + 40),
        bytes.getLong(at + 48),
        bytes.getLong(at + 56));
  }

  /** As {@link #checksum(ByteBuffer, int, int)}, of the eight words of a bucket. */
  static int checksum(int number, long a, long b, long c, long d, long e, long f, long g, long h) {
    long sum = number * 0x2AC2CE17A5794A3BL;
    sum += sum(a, 0x910A2DEC89025CC1L, 0xBEEB8DA1658EEC67L);
    sum += sum(b, 0xF893A2EEFB32555FL, 0x71C18690EE42C90BL);
    sum += sum(c, 0x71BB54D8D101B5B9L, 0xC34D0BFF90150281L);
    sum += sum(d, 0xE099EC6CD7363CA5L, 0x85E7BB0F12278575L);
    sum += sum(e, 0x491718DE357E3DA9L, 0xCB435C8E74616797L);
    sum += sum(f, 0x6775DC7701564F61L, 0x9AFCD44D14CF8BFFL);
    sum += sum(g, 0x7476CF8A4BAA5DC1L, 0x87B341D690D7A28BL);
    sum += sum(h, 0x6F9B6DAE6F4C57A9L, 0);
    return (int) (sum >>> 32);
  }

  /** Both halves of a word, each times its number. */
  private static long sum(long word, long low, long high) {
    return (word & 0xFFFFFFFFL) * low + (word >>> 32) * high;
  }
}
