package io.braid.benchmarks;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/**
 * Dependent accesses to memory: each value is the position of the next read. All positions form one
 * cycle.
 */
final class MemoryHops {
  private static final int LINE = 64;

  private final ByteBuffer memory;
  private int at;

  MemoryHops(int bytes) {
    memory = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    int lines = bytes / LINE;
    int[] order = new int[lines];
    for (int i = 0; i < lines; i++) {
      order[i] = i;
    }
    SplittableRandom random = new SplittableRandom(1);
    for (int i = lines - 1; i > 0; i--) {
      int j = random.nextInt(i);
      int swapped = order[i];
      order[i] = order[j];
      order[j] = swapped;
    }
    for (int i = 0; i < lines; i++) {
      memory.putInt(i * LINE, order[i] * LINE);
    }
  }

  int hop() {
    at = memory.getInt(at);
    return at;
  }
}
