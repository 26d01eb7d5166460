package io.braid.store.hbase;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.runtime.ReadProgress;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.TabletUnavailableException;
import io.braid.store.hbase.wire.Choice;
import io.braid.store.hbase.wire.HBaseNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.jspecify.annotations.Nullable;

/**
 * A scan over the regions of a range; the client of HBase goes from one region to the next.
 *
 * <p>A region refuses a scan of another table than its own: that table was dropped and created
 * again since this client looked. If the scan has not returned anything yet, it begins again; it
 * waits for a table that is being dropped.
 */
final class TableScanner implements RowScanner {
  /** Opens the scan. */
  interface Source {
    ResultScanner open();

    /**
     * Checks before each row that the table and the store are still open: a scan returns nothing
     * that was fetched ahead of a drop, or of the close of the store.
     */
    void check();

    /**
     * A region has refused the scan, of which nothing was given out yet.
     *
     * @return whether to open it again
     */
    boolean again(IOException refusal);
  }

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final String table;
  private final Choice choice;
  private final Source source;
  private ResultScanner scanner;
  private boolean given;

  TableScanner(String table, Choice choice, Source source) {
    this.table = table;
    this.choice = choice;
    this.source = source;
    this.scanner = source.open();
  }

  /** A scan that selects nothing. */
  static RowScanner nothing() {
    return new RowScanner() {
      @Override
      public @Nullable RowCells next() {
        return null;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public @Nullable RowCells next() {
    while (true) {
      source.check();
      Result result = fetch();
      if (result == null) {
        return null;
      }
      if (result.isCursor()) {
        ReadProgress.add(0); // it has found nothing for half of the time that a call may take
        continue;
      }
      List<Cell> cells = choice.trim(cells(result));
      if (!cells.isEmpty()) {
        given = true;
        byte[] key = result.getRow();
        return new RowCells(Row.of(table, HBaseNames.key(key)), cells);
      }
    }
  }

  private @Nullable Result fetch() {
    long end = 0;
    while (true) {
      try {
        return scanner.next();
      } catch (TableNotEnabledException e) {
        // HBase disables a table before it deletes it. In a moment there is no such table any more.
        long now = System.nanoTime();
        end = end == 0 ? now + PATIENCE_NANOS : end;
        if (given || now - end > 0) {
          throw Futures.failure("Scanning table " + table, e);
        }
        Futures.pause(PAUSE_NANOS);
        scanner.close();
        scanner = source.open();
      } catch (IOException e) {
        if (given || !(e instanceof DoNotRetryIOException) || !source.again(e)) {
          throw Futures.failure("Scanning table " + table, e);
        }
        scanner.close();
        scanner = source.open();
      } catch (RuntimeException e) {
        throw new TabletUnavailableException("Scanning table " + table + " failed.", e);
      }
    }
  }

  static List<Cell> cells(Result result) {
    List<Cell> cells = new ArrayList<>(result.size());
    for (org.apache.hadoop.hbase.Cell cell : result.rawCells()) {
      String family = new String(CellUtil.cloneFamily(cell), StandardCharsets.UTF_8);
      ColumnName column = new ColumnName(family, HBaseNames.key(CellUtil.cloneQualifier(cell)));
      cells.add(new Cell(column, cell.getTimestamp(), Bytes.wrap(CellUtil.cloneValue(cell))));
    }
    return cells;
  }

  @Override
  public void close() {
    scanner.close();
  }
}
