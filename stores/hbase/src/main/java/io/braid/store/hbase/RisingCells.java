package io.braid.store.hbase;

import io.braid.store.hbase.wire.WatermarkCell;
import java.util.Arrays;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Put;

/** Numbers that only rise, however many processes raise them at once. */
final class RisingCells {
  private final AsyncTable<?> table;
  private final HBaseOptions options;

  RisingCells(AsyncTable<?> table, HBaseOptions options) {
    this.table = table;
    this.options = options;
  }

  /** 0 when it was never raised. */
  long get(byte[] row) {
    return WatermarkCell.value(
        Futures.await(
            table.get(WatermarkCell.get(row)),
            options.patience(),
            "Reading " + WatermarkCell.text(row)));
  }

  /** Writes one that has never been; of several who do so at once one does. */
  void begin(byte[] row, long value) {
    if (get(row) == 0) {
      replace(row, 0, value);
    }
  }

  /** Raises the value of a cell; does nothing when the value is already that high. */
  void raise(byte[] row, long value) {
    for (long before = get(row); before < value; before = get(row)) {
      replace(row, before, value);
    }
  }

  private void replace(byte[] row, long before, long value) {
    CheckAndMutate.Builder check = CheckAndMutate.newBuilder(row);
    if (before == 0) {
      check.ifNotExists(WatermarkCell.FAMILY, WatermarkCell.QUALIFIER);
    } else {
      check.ifEquals(WatermarkCell.FAMILY, WatermarkCell.QUALIFIER, WatermarkCell.encode(before));
    }
    Put put =
        new Put(Arrays.copyOf(row, row.length))
            .addColumn(WatermarkCell.FAMILY, WatermarkCell.QUALIFIER, WatermarkCell.encode(value));
    Futures.await(
        table.checkAndMutate(check.build(put)),
        options.patience(),
        "Raising " + WatermarkCell.text(row));
  }
}
