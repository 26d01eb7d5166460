package io.braid.benchmarks.fuzz;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Changes bytes at random: flips, omits, doubles, truncates, or replaces with extreme numbers. */
final class Mutation {
  private static final long[] EXTREMES = {
    0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, 0x7F, 0xFFFF
  };
  private static final int LONGEST = 64 << 10;

  private final SplittableRandom random;

  Mutation(SplittableRandom random) {
    this.random = random;
  }

  /** Returns the frame with a few changes; one time in four without any. */
  byte[] of(byte[] frame) {
    byte[] changed = frame.clone();
    int changes = random.nextInt(4);
    for (int i = 0; i < changes && changed.length > 0; i++) {
      changed = once(changed);
    }
    return changed.length > LONGEST ? Arrays.copyOf(changed, LONGEST) : changed;
  }

  private byte[] once(byte[] bytes) {
    int at = random.nextInt(bytes.length);
    switch (random.nextInt(7)) {
      case 0:
        bytes[at] ^= (byte) (1 << random.nextInt(8));
        return bytes;
      case 1:
        bytes[at] = (byte) random.nextInt();
        return bytes;
      case 2:
        return Arrays.copyOf(bytes, at);
      case 3:
        return joined(Arrays.copyOf(bytes, at), Arrays.copyOfRange(bytes, at + 1, bytes.length));
      case 4:
        return joined(bytes, Arrays.copyOfRange(bytes, at, bytes.length));
      case 5:
        return number(bytes, at);
      default:
        byte[] some = new byte[random.nextInt(16)];
        for (int i = 0; i < some.length; i++) {
          some[i] = (byte) random.nextInt();
        }
        return joined(Arrays.copyOf(bytes, at), some);
    }
  }

  private byte[] number(byte[] bytes, int at) {
    long extreme = EXTREMES[random.nextInt(EXTREMES.length)];
    int width = random.nextBoolean() ? Integer.BYTES : Long.BYTES;
    if (at + width > bytes.length) {
      return bytes;
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes, at, width);
    if (width == Integer.BYTES) {
      buffer.putInt((int) extreme);
    } else {
      buffer.putLong(extreme);
    }
    return bytes;
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    return all;
  }
}
