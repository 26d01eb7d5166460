package io.braid.store.hbase;

import io.braid.core.store.StoreException;
import io.braid.store.hbase.wire.WatermarkCell;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** The low watermark of the namespace, see {@link WatermarkCell}. */
final class Watermark {
  private static final String DOING = "Reading the low watermark";

  private final RisingCells cells;
  private final VeilRecords veils;
  private final TableName name;
  private final HBaseOptions options;

  Watermark(AsyncConnection connection, HBaseOptions options) {
    this.name = WatermarkCell.table(options.namespace());
    this.cells = new RisingCells(connection.getTable(name), options);
    this.veils = new VeilRecords(connection.getTable(name), options);
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
    return cells.get(WatermarkCell.ROW);
  }

  /** The numbers of the namespace's small table. */
  RisingCells cells() {
    return cells;
  }

  /** The records of veils, which stand there too. */
  VeilRecords veils() {
    return veils;
  }

  /** Writes it, and waits until no region server uses an older reading. */
  void raise(long watermark) {
    cells.raise(WatermarkCell.ROW, watermark);
    awaitReadings();
  }

  private static void awaitReadings() {
    long end = System.nanoTime() + WatermarkCell.LEASE.toNanos() * 5 / 4;
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
