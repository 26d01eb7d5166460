package io.braid.serving.chunk;

/** Where a value lies in a data file, as one long, so that a lookup makes no object. */
final class Location {
  /** There is no such key. */
  static final long ABSENT = -1;

  private Location() {}

  static long of(int offset, int length) {
    return (long) offset << 32 | length;
  }

  static int offset(long location) {
    return (int) (location >>> 32);
  }

  static int length(long location) {
    return (int) location;
  }
}
