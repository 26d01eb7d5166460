package io.braid.benchmarks;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * Tuples to serve: keys of 16 bytes, values at random.
 *
 * @param name the name of the values, for figures
 * @param least the fewest bytes of a value
 * @param most the upper bound of a value's bytes, exclusive unless it equals {@code least}
 */
record ServedData(String name, int keys, int least, int most) {
  boolean fixed() {
    return least == most;
  }

  ServedData of(int other) {
    return new ServedData(name, other, least, most);
  }

  ServedPeer.Tuples tuples() {
    return sink -> {
      for (int i = 0; i < keys; i++) {
        sink.add(key(i), value(i));
      }
    };
  }

  long bytes() {
    return keys * (16L + (least + most) / 2);
  }

  private byte[] value(int key) {
    SplittableRandom random = new SplittableRandom(key);
    byte[] value = new byte[least + (fixed() ? 0 : random.nextInt(most - least))];
    random.nextBytes(value);
    return value;
  }

  /**
   * Returns a key of sixteen bytes, spread over the key space. Negative numbers give absent keys.
   */
  static byte[] key(int i) {
    long mixed = i * 0x9E3779B97F4A7C15L;
    return ByteBuffer.allocate(16).putLong(mixed).putLong(i).array();
  }
}
