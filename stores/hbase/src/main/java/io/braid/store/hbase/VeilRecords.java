package io.braid.store.hbase;

import io.braid.core.store.Veils;
import io.braid.store.hbase.wire.VeilRecord;
import io.braid.store.hbase.wire.WatermarkCell;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/** The records of veils, in the namespace's small table. */
final class VeilRecords {
  private final AsyncTable<?> table;
  private final HBaseOptions options;

  VeilRecords(AsyncTable<?> table, HBaseOptions options) {
    this.table = table;
    this.options = options;
  }

  @Nullable VeilRecord get(String tableId, long version) {
    byte[] row = VeilRecord.row(tableId, version);
    return VeilRecord.of(
        Futures.await(table.get(VeilRecord.get(row)), options.patience(), "Reading a veil"));
  }

  List<VeilRecord> all(String tableId) {
    List<Result> found =
        Futures.await(
            table.scanAll(VeilRecord.scan(tableId)), options.patience(), "Reading the veils");
    return found.stream().map(VeilRecord::of).filter(Objects::nonNull).toList();
  }

  Veils veils(String tableId) {
    return new Veils(all(tableId).stream().map(VeilRecord::veil).toList());
  }

  /** Writes the record of a veil that has none. */
  void create(String tableId, VeilRecord record) {
    byte[] row = VeilRecord.row(tableId, record.veil().version());
    Futures.await(
        table.checkAndMutate(
            CheckAndMutate.newBuilder(row)
                .ifNotExists(WatermarkCell.FAMILY, VeilRecord.QUALIFIER)
                .build(record.put(row))),
        options.patience(),
        "Making a veil");
  }

  /**
   * Replaces a record.
   *
   * @return whether the record now has the new content
   */
  boolean replace(String tableId, VeilRecord before, VeilRecord after) {
    byte[] row = VeilRecord.row(tableId, before.veil().version());
    boolean replaced =
        Futures.await(
                table.checkAndMutate(
                    CheckAndMutate.newBuilder(row)
                        .ifEquals(WatermarkCell.FAMILY, VeilRecord.QUALIFIER, before.encode())
                        .build(after.put(row))),
                options.patience(),
                "Changing a veil")
            .isSuccess();
    // A try whose answer was lost may have done it.
    return replaced || after.equals(get(tableId, before.veil().version()));
  }
}
