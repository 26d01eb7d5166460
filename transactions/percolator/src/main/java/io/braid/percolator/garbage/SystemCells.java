package io.braid.percolator.garbage;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TabletUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Rows of one cell each in Braid's own table. One process writes such a row and others read it. */
final class SystemCells {
  private static final ColumnName COLUMN = ColumnName.of(Families.SYSTEM, "value");
  private static final long VERSION = 1;

  private final CellStore store;

  SystemCells(CellStore store) {
    this.store = store;
  }

  /** Puts the value of a row; creates the table if there is none. */
  void put(String key, Bytes value, Durability durability) {
    store.ensureTable(Families.system());
    write(RowWrite.put(row(key), new Cell(COLUMN, VERSION, value)), durability);
  }

  void remove(String key) {
    write(RowWrite.remove(row(key), COLUMN, VERSION), Durability.BUFFERED);
  }

  private void write(RowWrite write, Durability durability) {
    Outcome<Void> outcome = store.write(List.of(write), durability).get(0);
    if (!(outcome instanceof Outcome.Done<Void>)) {
      throw new TabletUnavailableException(
          write.row() + " may not have been written: " + outcome + ". Try again.");
    }
  }

  /** Returns the values, by the part of their row keys after the prefix. */
  Map<String, Bytes> all(String prefix) {
    Map<String, Bytes> values = new TreeMap<>();
    if (store.table(Families.SYSTEM_TABLE).isEmpty()) {
      return values;
    }
    ScanRequest request =
        ScanRequest.of(
            Families.SYSTEM_TABLE, KeyRange.prefix(Bytes.of(prefix)), Selection.column(COLUMN));
    List<RowCells> rows = new ArrayList<>();
    try (RowScanner scanner = store.scan(request)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        rows.add(row);
      }
    }
    int length = Bytes.of(prefix).length();
    rows.forEach(
        row -> values.put(row.row().key().slice(length).toUtf8(), row.cells().get(0).value()));
    return values;
  }

  private static Row row(String key) {
    return Row.of(Families.SYSTEM_TABLE, key);
  }
}
