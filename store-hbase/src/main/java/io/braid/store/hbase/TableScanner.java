package io.braid.store.hbase;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.TabletUnavailableException;
import io.braid.store.hbase.wire.Choice;
import io.braid.store.hbase.wire.HBaseNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.jspecify.annotations.Nullable;

/** A scan over the regions of a range; the client of HBase goes from one to the next. */
final class TableScanner implements RowScanner {
  private final String table;
  private final ResultScanner scanner;
  private final Choice choice;
  private final Runnable check;

  TableScanner(String table, ResultScanner scanner, Choice choice, Runnable check) {
    this.table = table;
    this.scanner = scanner;
    this.choice = choice;
    this.check = check;
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
      check.run();
      Result result = fetch();
      if (result == null) {
        return null;
      }
      List<Cell> cells = choice.trim(cells(result));
      if (!cells.isEmpty()) {
        byte[] key = result.getRow();
        return new RowCells(Row.of(table, HBaseNames.key(key)), cells);
      }
    }
  }

  private @Nullable Result fetch() {
    try {
      return scanner.next();
    } catch (IOException e) {
      throw Futures.failure("Scanning table " + table, e);
    } catch (RuntimeException e) {
      throw new TabletUnavailableException("Scanning table " + table + " failed.", e);
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
