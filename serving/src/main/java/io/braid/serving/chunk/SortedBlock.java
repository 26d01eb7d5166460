package io.braid.serving.chunk;

/** The layout of a block of the sorted index: 21 entries of 12 bytes, and their checksum. */
final class SortedBlock {
  static final int BYTES = 256;
  static final int ENTRY = 12;
  static final int ENTRIES = 21;
  static final int CHECKSUM = 252;

  /** Bytes in front of the tuples with one hash: their number. */
  static final int GROUP = 2;

  private SortedBlock() {}

  /** Returns the position of an entry in the index file. */
  static int position(int entry) {
    return Footer.HEADER + entry / ENTRIES * BYTES + entry % ENTRIES * ENTRY;
  }

  /**
   * Returns the number that is mixed into the checksum of a tuple. So the checksum also covers the
   * number of tuples that collided.
   */
  static int salt(int collided, int i) {
    return collided << 16 | i;
  }
}
