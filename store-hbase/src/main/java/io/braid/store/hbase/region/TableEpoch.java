package io.braid.store.hbase.region;

import io.braid.store.hbase.wire.TableMarks;
import io.braid.store.hbase.wire.WatermarkCell;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;

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
  private volatile long epoch = -1;

  TableEpoch(Connection connection, String namespace, TableMarks marks) {
    this.connection = connection;
    this.namespace = namespace;
    this.marks = marks;
  }

  /** To be called before {@link #get}; reads the first time only. */
  void find() throws IOException {
    if (epoch < 0) {
      try (Table table = connection.getTable(WatermarkCell.table(namespace))) {
        long raised =
            WatermarkCell.value(table.get(WatermarkCell.get(WatermarkCell.epoch(marks.id()))));
        epoch = Math.max(raised, marks.epoch());
      }
    }
  }

  long get() {
    return epoch;
  }
}
