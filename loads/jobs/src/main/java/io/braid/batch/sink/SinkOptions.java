package io.braid.batch.sink;

import java.time.Duration;

/**
 * How a sink works.
 *
 * @param workers tasks that write, for each sink
 * @param batchRecords records in one trip at most
 * @param retries how often a record is tried again that may yet succeed
 * @param pause the first pause before that; later ones are longer
 */
public record SinkOptions(int workers, int batchRecords, int retries, Duration pause) {
  /** The maximum number of bytes of a batch. */
  public static final long BATCH_BYTES = 1 << 20;

  public SinkOptions {
    if (workers < 1 || batchRecords < 1 || retries < 0) {
      throw new IllegalArgumentException(
          "A sink has at least one worker, a record in a batch, and no negative retries.");
    }
  }
}
