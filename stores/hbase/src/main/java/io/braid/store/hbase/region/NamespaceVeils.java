package io.braid.store.hbase.region;

import io.braid.store.hbase.wire.VeilRecord;
import io.braid.store.hbase.wire.WatermarkCell;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;

/** The records of a table's veils, in the namespace's small table. */
record NamespaceVeils(Connection connection, String namespace, String tableId)
    implements TableVeils.Records {
  @Override
  public List<VeilRecord> read() throws IOException {
    List<VeilRecord> read = new ArrayList<>();
    try (Table table = NamespaceCells.table(connection, namespace);
        ResultScanner scanner = table.getScanner(VeilRecord.scan(tableId))) {
      for (Result result : scanner) {
        VeilRecord record = VeilRecord.of(result);
        if (record != null) {
          read.add(record);
        }
      }
    }
    return read;
  }

  @Override
  public void replace(VeilRecord before, VeilRecord after) throws IOException {
    byte[] row = VeilRecord.row(tableId, before.veil().version());
    try (Table table = NamespaceCells.table(connection, namespace)) {
      table.checkAndMutate(
          CheckAndMutate.newBuilder(row)
              .ifEquals(WatermarkCell.FAMILY, VeilRecord.QUALIFIER, before.encode())
              .build(after.put(row)));
    }
  }
}
