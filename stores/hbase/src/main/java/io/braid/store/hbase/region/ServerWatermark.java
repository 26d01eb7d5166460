package io.braid.store.hbase.region;

import io.braid.store.hbase.wire.WatermarkCell;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.client.Connection;

/**
 * The low watermark of a namespace, as a region server knows it. The age of a reading counts from
 * when the server asked for it, by the server's monotonic clock.
 */
final class ServerWatermark {
  /** A value and when it was asked for. */
  private record Reading(long watermark, long nanos) {
    long age() {
      return System.nanoTime() - nanos;
    }
  }

  private static final long REFRESH_NANOS = WatermarkCell.REFRESH.toNanos();
  private static final long LEASE_NANOS = WatermarkCell.LEASE.toNanos();

  private final Connection connection;
  private final String namespace;
  private final AtomicBoolean reading = new AtomicBoolean();
  private volatile Reading last = new Reading(0, System.nanoTime() - 2 * LEASE_NANOS);

  ServerWatermark(Connection connection, String namespace) {
    this.connection = connection;
    this.namespace = namespace;
  }

  /**
   * Reads the watermark again when a reading is due. One caller reads; the others never wait, see
   * {@link #get}.
   */
  void refresh() {
    if (last.age() < REFRESH_NANOS || !reading.compareAndSet(false, true)) {
      return;
    }
    try {
      long asked = System.nanoTime();
      long read = NamespaceCells.read(connection, namespace, WatermarkCell.ROW);
      last = new Reading(Math.max(read, last.watermark), asked);
    } catch (IOException e) {
      // The last reading stays until it is too old.
    } finally {
      reading.set(false);
    }
  }

  /**
   * @throws StaleWatermarkException when what is known is too old to be used
   */
  long get() {
    Reading now = last;
    if (now.age() > LEASE_NANOS) {
      throw new StaleWatermarkException();
    }
    return now.watermark;
  }

  /** The run was too slow, or the server was paused: nothing was changed, it may be tried again. */
  static final class StaleWatermarkException extends RuntimeException {
    StaleWatermarkException() {
      super("The low watermark was read too long ago.");
    }
  }
}
