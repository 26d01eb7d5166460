package io.braid.testkit;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.RowAccess;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.core.store.TabletClock;
import io.braid.core.store.UnknownTableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a procedure sees of a {@link MemoryStore}: reads at once, writes gathered for the end. */
final class MemoryAccess implements RowAccess {
  /** A cell to put, or to remove when the value is null. */
  record Change(Row row, MemoryTable.Place place, @Nullable Bytes value) {}

  private final Map<String, MemoryTable> tables;
  private final TabletClock clock;
  private final List<Row> rows;
  final List<Change> changes = new ArrayList<>();

  MemoryAccess(Map<String, MemoryTable> tables, TabletClock clock, List<Row> rows) {
    this.tables = tables;
    this.clock = clock;
    this.rows = rows;
  }

  private MemoryTable table(Row row, String family) {
    MemoryTable table = table(row.table());
    table.checkFamily(family);
    return table;
  }

  private MemoryTable table(String name) {
    MemoryTable table = tables.get(name);
    if (table == null) {
      throw new UnknownTableException("There is no table " + name + "; create it first.");
    }
    return table;
  }

  @Override
  public @Nullable Cell newest(Row row, ColumnName column, long maxVersion) {
    List<Cell> cells = versions(row, column, 0, maxVersion, 1);
    return cells.isEmpty() ? null : cells.get(0);
  }

  @Override
  public @Nullable Cell at(Row row, ColumnName column, long version) {
    Bytes value =
        table(row, column.family()).get(row.key(), new MemoryTable.Place(column, version));
    return value == null ? null : new Cell(column, version, value);
  }

  @Override
  public List<Cell> versions(
      Row row, ColumnName column, long minVersion, long maxVersion, int limit) {
    if (maxVersion < minVersion) {
      return List.of();
    }
    return table(row, column.family())
        .select(
            row.key(),
            List.of(
                new Selection(column.family(), column.qualifier(), minVersion, maxVersion, limit)));
  }

  @Override
  public List<Cell> family(Row row, String family, Bytes qualifierPrefix) {
    return table(row, family).select(row.key(), List.of(Selection.family(family))).stream()
        .filter(cell -> cell.column().qualifier().startsWith(qualifierPrefix))
        .toList();
  }

  @Override
  public void put(Row row, ColumnName column, long version, Bytes value) {
    change(row, column, version, value);
  }

  @Override
  public void delete(Row row, ColumnName column, long version) {
    change(row, column, version, null);
  }

  private void change(Row row, ColumnName column, long version, @Nullable Bytes value) {
    if (!rows.contains(row)) {
      throw new StoreException("The procedure writes row " + row + ", which it did not name.");
    }
    table(row, column.family());
    changes.add(new Change(row, new MemoryTable.Place(column, version), value));
  }

  @Override
  public TabletClock clock() {
    return clock;
  }

  @Override
  public long epoch(String table) {
    return table(table).epoch;
  }
}
