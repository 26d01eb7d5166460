package io.braid.store.hbase;

import io.braid.core.data.Bytes;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.core.store.TableReplacedException;
import io.braid.store.hbase.wire.Choice;
import io.braid.store.hbase.wire.HBaseNames;
import io.braid.store.hbase.wire.ScanMarks;
import java.io.IOException;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;

/** A scan as it is asked for, of the table that there is when it is opened. */
final class TableScan implements TableScanner.Source {
  private static final long PAUSE_NANOS = 50_000_000;

  private final RegionClient regions;
  private final Tables tables;
  private final ScanRequest request;
  private final Choice choice;
  private final Runnable open;
  private final long end;
  private Tables.KnownTable table;

  /**
   * @param open throws when the store is closed
   */
  TableScan(
      RegionClient regions,
      Tables tables,
      HBaseOptions options,
      ScanRequest request,
      Choice choice,
      Runnable open) {
    this.regions = regions;
    this.tables = tables;
    this.request = request;
    this.choice = choice;
    this.open = open;
    this.end = System.nanoTime() + options.patience().toNanos();
    this.table = tables.get(request.table());
  }

  @Override
  public ResultScanner open() {
    Scan scan =
        new Scan()
            .withStartRow(HBaseNames.bound(request.range().start()))
            .setNeedCursorResult(true) // to be asked while it finds nothing
            .setCaching(request.batchRows());
    Bytes stop = request.range().end();
    if (stop != null) {
      scan.withStopRow(HBaseNames.key(stop));
    }
    choice.applyTo(scan);
    new ScanMarks(request.snapshot(), table.marks().id()).applyTo(scan);
    return regions.scan(table.name(), scan);
  }

  @Override
  public void check() {
    open.run();
    Tables.KnownTable now = tables.cached(request.table());
    if (now == null || !now.marks().id().equals(table.marks().id())) {
      throw new StoreException("Table " + request.table() + " was dropped during the scan.");
    }
  }

  /** For another table of the name, and for one whose regions have yet to open with a family. */
  @Override
  public boolean again(IOException refusal) {
    String before = table.marks().id();
    tables.look(request.table());
    table = tables.get(request.table());
    for (Selection selection : request.selections()) {
      table.checkFamily(selection.family());
    }
    TableReplacedException.check(request.table(), table.birth(), request.snapshot());
    if (!table.marks().id().equals(before)) {
      return true;
    }
    if (refusal instanceof NoSuchColumnFamilyException && System.nanoTime() < end) {
      Futures.pause(PAUSE_NANOS);
      return true;
    }
    return false;
  }
}
