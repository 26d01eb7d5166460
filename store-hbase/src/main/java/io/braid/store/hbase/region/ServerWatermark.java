package io.braid.store.hbase.region;

import io.braid.store.hbase.wire.WatermarkCell;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;

/**
 * What a region server knows of the low watermark of a namespace. A reading counts from when it was
 * asked for, by the server's monotonic clock.
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

  /** Reads it anew when that is due: one caller does, the others wait only if they must. */
  void refresh() throws IOException {
    long age = last.age();
    if (age < REFRESH_NANOS) {
      return;
    }
    if (age > LEASE_NANOS - REFRESH_NANOS) {
      read();
    } else if (reading.compareAndSet(false, true)) {
      try {
        read();
      } finally {
        reading.set(false);
      }
    }
  }

  private void read() throws IOException {
    long asked = System.nanoTime();
    try (Table table = connection.getTable(WatermarkCell.table(namespace))) {
      keep(new Reading(WatermarkCell.value(table.get(WatermarkCell.get())), asked));
    }
  }

  private synchronized void keep(Reading read) {
    if (read.nanos - last.nanos > 0) {
      last = new Reading(Math.max(read.watermark, last.watermark), read.nanos);
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
