package io.braid.testkit;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.RowAccess;
import io.braid.core.store.RowWrite;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.core.store.TabletClock;
import io.braid.core.time.Timestamp;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The view that a procedure has of a {@link MemoryStore}: reads happen at once, writes are gathered
 * for the end.
 */
final class MemoryAccess implements RowAccess, TabletClock {
  /** A cell to put, or to remove when the value is null. */
  record Change(Row row, MemoryTable.Place place, @Nullable Bytes value) {}

  private final MemoryTables tables;
  private final List<Row> rows;
  private final boolean readOnly;
  private final boolean blind;
  // Above it lies only what the clock draws.
  private long highest;
  private final List<Change> changes = new ArrayList<>();

  /**
   * @param highest as the procedure declares it
   */
  MemoryAccess(MemoryTables tables, List<Row> rows, boolean readOnly, long highest) {
    this(tables, rows, readOnly, false, highest);
  }

  private MemoryAccess(
      MemoryTables tables, List<Row> rows, boolean readOnly, boolean blind, long highest) {
    this.tables = tables;
    this.rows = rows;
    this.readOnly = readOnly;
    this.blind = blind;
    this.highest = highest;
  }

  /** A blind write: what it removes, then what it puts. */
  static MemoryAccess of(MemoryTables tables, RowWrite write) {
    Row row = write.row();
    MemoryAccess access = new MemoryAccess(tables, List.of(row), false, true, Long.MAX_VALUE);
    tables.table(row);
    for (RowWrite.Removal removal : write.removals()) {
      access.delete(row, removal.column(), removal.version());
    }
    for (Cell put : write.puts()) {
      access.put(row, put.column(), put.version(), put.value());
    }
    return access;
  }

  /** Returns the writes, in this order. */
  List<Change> changes() {
    return changes;
  }

  private MemoryTable table(Row row, String family) {
    if (!rows.contains(row)) {
      throw new StoreException("The procedure uses row " + row + ", which it did not name.");
    }
    MemoryTable table = tables.table(row);
    table.checkFamily(family);
    return table;
  }

  @Override
  public @Nullable Cell newest(Row row, ColumnName column, long maxVersion) {
    List<Cell> cells = versions(row, column, 0, maxVersion, 1);
    return cells.isEmpty() ? null : cells.get(0);
  }

  @Override
  public @Nullable Cell at(Row row, ColumnName column, long version) {
    MemoryTable table = table(row, column.family());
    long stored = table.veils.stored(version);
    Bytes value = table.get(row.key(), new MemoryTable.Place(column, stored));
    return value == null || table.veils.hides(stored) ? null : new Cell(column, version, value);
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
  public boolean has(Row row, String family) {
    return tables.table(row).schema.has(family);
  }

  @Override
  public void put(Row row, ColumnName column, long version, Bytes value) {
    if (Families.isUsers(column.family())) {
      requireDeclared(version);
      requireBelowClock(row, version);
    }
    change(row, column, version, value);
  }

  private void requireDeclared(long version) {
    // Versions below Timestamp.STEP are fixed numbers.
    if (version > highest && version >= Timestamp.STEP) {
      throw new StoreException(
          "The procedure uses timestamp " + version + ", but has declared " + highest + ".");
    }
  }

  /** Requires the clock to be at or above every version that a procedure stores (TabletClock). */
  private void requireBelowClock(Row row, long version) {
    if (!blind && version >= Timestamp.STEP && tables.clock(row).value() < version) {
      throw new StoreException(
          "The procedure stores version "
              + version
              + " in "
              + row
              + ", to which it has not raised the clock of the tablet.");
    }
  }

  @Override
  public void delete(Row row, ColumnName column, long version) {
    change(row, column, tables.table(row).veils.stored(version), null);
  }

  private void change(Row row, ColumnName column, long version, @Nullable Bytes value) {
    requireWriting();
    if (version < 0) {
      throw new IllegalArgumentException("A version is not negative: " + version + ".");
    }
    table(row, column.family());
    changes.add(new Change(row, new MemoryTable.Place(column, version), value));
  }

  private void requireWriting() {
    if (readOnly) {
      throw new StoreException("A procedure that only reads has written.");
    }
  }

  @Override
  public TabletClock clock() {
    return this;
  }

  @Override
  public long next(long atLeast) {
    requireWriting();
    requireDeclared(atLeast);
    long drawn = tables.clock(rows.get(0)).next(atLeast);
    highest = Math.max(highest, drawn);
    return drawn;
  }

  @Override
  public void raise(long version) {
    requireDeclared(version);
    tables.clock(rows.get(0)).raise(version);
  }

  @Override
  public long epoch(String table) {
    return tables.table(table).epoch;
  }

  @Override
  public long birth(String table) {
    return tables.table(table).birth;
  }

  @Override
  public boolean isClosing(String table) {
    return tables.table(table).isClosing();
  }

  @Override
  public long watermark() {
    return tables.watermark();
  }
}
