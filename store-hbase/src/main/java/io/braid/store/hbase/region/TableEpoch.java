package io.braid.store.hbase.region;

import io.braid.store.hbase.wire.TableMarks;
import io.braid.store.hbase.wire.WatermarkCell;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.client.Connection;

/**
 * The epoch that an open region works under: that of the table's descriptor, or a higher one that
 * somebody had begun to raise it to when the region was asked first. So when two processes raise it
 * at once and the lower one's change of the descriptor comes last, the regions, which open again
 * with it, keep the higher one.
 */
final class TableEpoch {
  private final Connection connection;
  private final String namespace;
  private final TableMarks marks;
  private final AtomicBoolean reading = new AtomicBoolean();
  private volatile long epoch = -1;

  TableEpoch(Connection connection, String namespace, TableMarks marks) {
    this.connection = connection;
    this.namespace = namespace;
    this.marks = marks;
  }

  /**
   * To be called before {@link #get}; reads until it is known. One caller does, the others do not
   * wait.
   *
   * @return false when it is not known now
   */
  boolean find() {
    if (epoch < 0 && reading.compareAndSet(false, true)) {
      try {
        byte[] row = WatermarkCell.epoch(marks.id());
        epoch = Math.max(NamespaceCells.read(connection, namespace, row), marks.epoch());
      } catch (IOException e) {
        // The next call tries again.
      } finally {
        reading.set(false);
      }
    }
    return epoch >= 0;
  }

  long get() {
    return epoch;
  }
}
