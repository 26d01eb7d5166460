package io.braid.benchmarks.brokerage;

import java.nio.ByteBuffer;

/**
 * Keys and values. Both consist of numbers of eight bytes. Values are padded to a hundred bytes.
 */
final class Fields {
  private static final int VALUE = 100;

  private Fields() {}

  static byte[] key(long... parts) {
    ByteBuffer key = ByteBuffer.allocate(Long.BYTES * parts.length);
    for (long part : parts) {
      key.putLong(part);
    }
    return key.array();
  }

  static byte[] value(long... fields) {
    ByteBuffer value = ByteBuffer.allocate(VALUE);
    for (long field : fields) {
      value.putLong(field);
    }
    long filler = 1;
    while (value.remaining() >= Long.BYTES) {
      // No two fillers are alike, so that compression has something to do.
      filler = filler * 0x9E3779B97F4A7C15L + fields[0];
      value.putLong(filler);
    }
    return value.array();
  }

  static long at(byte[] value, int field) {
    return ByteBuffer.wrap(value).getLong(Long.BYTES * field);
  }

  /** Returns the same value with one field changed. */
  static byte[] with(byte[] value, int field, long number) {
    byte[] changed = value.clone();
    ByteBuffer.wrap(changed).putLong(Long.BYTES * field, number);
    return changed;
  }
}
