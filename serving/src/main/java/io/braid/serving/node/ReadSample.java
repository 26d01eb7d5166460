package io.braid.serving.node;

import io.braid.core.runtime.Seams;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * A share of the keys that are read, for a task that repeats the reads. Readers never wait: keys
 * that do not fit are dropped.
 */
final class ReadSample {
  private static final int WAITING = 1024;

  private final BlockingQueue<byte[]> keys = new ArrayBlockingQueue<>(WAITING);
  private final Seams seams;
  private final double share;

  ReadSample(Seams seams, double share) {
    this.seams = seams;
    this.share = share;
  }

  void offer(byte[] key, int offset, int length) {
    if (seams.random().nextDouble() < share) {
      keys.offer(Arrays.copyOfRange(key, offset, offset + length));
    }
  }

  byte @Nullable [] poll() {
    return keys.poll();
  }
}
