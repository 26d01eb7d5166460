package io.braid.store.hbase.region;

import io.braid.store.hbase.wire.WatermarkCell;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;

/**
 * Reads the numbers of the namespace's small table, without waiting long for the server that has
 * it.
 */
final class NamespaceCells {
  private static final int PATIENCE_MILLIS = (int) Duration.ofMillis(1500).toMillis();

  private NamespaceCells() {}

  /**
   * @return 0 when it was never raised
   */
  static long read(Connection connection, String namespace, byte[] row) throws IOException {
    try (Table table = table(connection, namespace)) {
      return WatermarkCell.value(table.get(WatermarkCell.get(row)));
    }
  }

  static Table table(Connection connection, String namespace) {
    return connection
        .getTableBuilder(WatermarkCell.table(namespace), null)
        .setOperationTimeout(PATIENCE_MILLIS)
        .setRpcTimeout(PATIENCE_MILLIS)
        .setReadRpcTimeout(PATIENCE_MILLIS)
        .build();
  }
}
