package io.braid.store.hbase.region;

import io.braid.store.hbase.wire.TableMarks;
import io.braid.store.hbase.wire.WatermarkCell;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.client.Connection;

/**
 * The epoch that an open region works under: the epoch in the table's descriptor, or a higher one.
 * The higher one is an epoch to which a process had begun to raise the table when the region first
 * read it. Two processes may raise the epoch at once, and the lower one's change of the descriptor
 * may come last. The regions open again with that descriptor, and keep the higher epoch. The epoch
 * is also unknown until the birth of the table is in its cell.
 */
final class TableEpoch {
  private final Connection connection;
  private final String namespace;
  private final TableMarks marks;
  private final AtomicBoolean reading = new AtomicBoolean();
  private long birth;

  // Written after the birth.
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
        learn();
      } catch (IOException e) {
        // The next call tries again.
      } finally {
        reading.set(false);
      }
    }
    return epoch >= 0;
  }

  private void learn() throws IOException {
    long born = 0;
    if (marks.born()) {
      born = NamespaceCells.read(connection, namespace, WatermarkCell.birth(marks.id())) - 1;
      if (born < 0) {
        return;
      }
    }
    long raised = NamespaceCells.read(connection, namespace, WatermarkCell.epoch(marks.id()));
    birth = born;
    epoch = Math.max(raised, Math.max(marks.epoch(), born));
  }

  long get() {
    return epoch;
  }

  /** When the table was created, once {@link #find} has found it; 0 when that is not known. */
  long birth() {
    return epoch < 0 ? 0 : birth;
  }
}
