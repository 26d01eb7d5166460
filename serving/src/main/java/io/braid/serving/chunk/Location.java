package io.braid.serving.chunk;

/** Where a value lies in a data file, as one long, so that a lookup makes no object. */
public final class Location {
  /** There is no such key. */
  public static final long ABSENT = -1;

  private Location() {}

  static long of(int offset, int length) {
    return (long) offset << 32 | length;
  }

  public static int offset(long location) {
    return (int) (location >>> 32);
  }

  public static int length(long location) {
    return (int) location;
  }
}
