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
 * with it, keep the higher one. Before the birth of the table stands in its cell the epoch is not
 * known either.
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
