package io.braid.store.hbase;

import io.braid.core.store.StoreException;
import io.braid.store.hbase.wire.WatermarkCell;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** The low watermark of the namespace, see {@link WatermarkCell}. */
final class Watermark {
  private static final String DOING = "Reading the low watermark";

  private final AsyncTable<?> table;
  private final TableName name;
  private final HBaseOptions options;

  Watermark(AsyncConnection connection, HBaseOptions options) {
    this.name = WatermarkCell.table(options.namespace());
    this.table = connection.getTable(name);
    this.options = options;
  }

  void ensureTable(AsyncAdmin admin) {
    if (Futures.await(admin.tableExists(name), options.patience(), DOING)) {
      return;
    }
    try {
      Futures.await(
          admin.createTable(
              TableDescriptorBuilder.newBuilder(name)
                  .setColumnFamily(ColumnFamilyDescriptorBuilder.of(WatermarkCell.FAMILY))
                  .build()),
          Duration.ofMinutes(5),
          "Creating table " + name);
    } catch (StoreException e) {
      if (!(e.getCause() instanceof TableExistsException)) {
        throw e;
      }
    }
  }

  long get() {
    return WatermarkCell.value(
        Futures.await(table.get(WatermarkCell.get()), options.patience(), DOING));
  }

  /** Writes it, and waits until no region server uses an older reading. */
  void raise(long watermark) {
    while (true) {
      long before = get();
      if (before >= watermark) {
        break;
      }
      CheckAndMutate.Builder check = CheckAndMutate.newBuilder(WatermarkCell.ROW);
      if (before == 0) {
        check.ifNotExists(WatermarkCell.FAMILY, WatermarkCell.QUALIFIER);
      } else {
        check.ifEquals(WatermarkCell.FAMILY, WatermarkCell.QUALIFIER, WatermarkCell.encode(before));
      }
      Put put =
          new Put(WatermarkCell.ROW)
              .addColumn(
                  WatermarkCell.FAMILY, WatermarkCell.QUALIFIER, WatermarkCell.encode(watermark));
      Futures.await(
          table.checkAndMutate(check.build(put)), options.patience(), "Raising the low watermark");
    }
    awaitReadings();
  }

  private static void awaitReadings() {
    long end = System.nanoTime() + WatermarkCell.LEASE.toNanos() * 5 / 4;
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
