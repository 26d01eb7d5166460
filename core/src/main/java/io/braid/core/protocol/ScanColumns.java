package io.braid.core.protocol;

import io.braid.core.cells.CommitRecord;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.RowCells;
import io.braid.core.store.Selection;
import io.braid.core.transaction.ColumnValues;
import io.braid.core.transaction.Scan;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Which columns a scan wants: whole families, and single columns of others. */
public final class ScanColumns {
  private final Set<String> families;
  private final Set<ColumnName> columns;

  private ScanColumns(Collection<String> families, Collection<ColumnName> columns) {
    this.families = new TreeSet<>(families);
    this.columns = new TreeSet<>(columns);
    this.columns.removeIf(column -> this.families.contains(column.family()));
  }

  public static ScanColumns of(Scan scan) {
    return of(scan.table(), scan.families(), scan.columns());
  }

  public static ScanColumns of(
      String table, Collection<String> families, Collection<ColumnName> columns) {
    if (families.isEmpty() && columns.isEmpty()) {
      throw new IllegalArgumentException(
          "Nothing to read of table " + table + ": name families or columns.");
    }
    families.forEach(family -> ColumnRules.check(table, family));
    columns.forEach(column -> ColumnRules.check(table, column));
    return new ScanColumns(families, columns);
  }

  public boolean contains(ColumnName column) {
    return families.contains(column.family()) || columns.contains(column);
  }

  /** The newest record of each column at a snapshot, and the intents at or below it. */
  public List<Selection> selections(long snapshot) {
    List<Selection> selections = new ArrayList<>();
    for (String family : families) {
      selections.add(Selection.family(family).upTo(snapshot).newest(1));
    }
    for (ColumnName column : columns) {
      selections.add(Selection.column(column).upTo(snapshot).newest(1));
    }
    if (families.isEmpty()) {
      columns.forEach(
          column -> selections.add(Selection.column(Families.intent(column)).upTo(snapshot)));
    } else {
      selections.add(Selection.family(Families.INTENT).upTo(snapshot));
    }
    return selections;
  }

  /** Returns the bytes of a row including its large values, which are stored apart. */
  long wholeBytes(RowCells row) {
    long bytes = row.bytes();
    for (Cell cell : row.cells()) {
      if (contains(cell.column())) {
        bytes += CommitRecord.lengthApart(cell);
      }
    }
    return bytes;
  }

  /**
   * The values of a row that {@link #selections selections} brought, as most rows are: without
   * intents, large values and locks. Null where {@link #values values} has to look.
   */
  @Nullable ColumnValues plain(Row row, List<Cell> cells) {
    ColumnValues.Builder plain = new ColumnValues.Builder(cells.size());
    for (Cell cell : cells) {
      if (cell.column().family().equals(Families.INTENT)) {
        return null;
      }
      CommitRecord record = CommitRecord.read(row, cell);
      switch (record.kind()) {
        case PUT -> plain.add(cell.column(), record.value());
        case PUT_LARGE, LOCK -> {
          return null;
        }
        case DELETE -> {}
      }
    }
    return plain.build();
  }

  /**
   * Applies the read rule to the cells of a row that {@link #selections selections} brought.
   *
   * @param values takes the values that are plain to see
   * @return the columns that need a closer look: blocked by an intent, only locked last, or large
   */
  public List<ColumnName> values(Row row, List<Cell> cells, SortedMap<ColumnName, Bytes> values) {
    Set<ColumnName> open = new TreeSet<>();
    for (Cell cell : cells) {
      if (cell.column().family().equals(Families.INTENT)) {
        addIfBlocked(row, cell, open);
      }
    }
    Set<ColumnName> blocked = open.isEmpty() ? Set.of() : new HashSet<>(open);
    for (Cell cell : cells) {
      if (!cell.column().family().equals(Families.INTENT) && !blocked.contains(cell.column())) {
        CommitRecord record = CommitRecord.read(row, cell);
        switch (record.kind()) {
          case PUT -> values.put(cell.column(), record.value());
          case PUT_LARGE, LOCK -> open.add(cell.column());
          case DELETE -> {}
        }
      }
    }
    return List.copyOf(open);
  }

  private void addIfBlocked(Row row, Cell cell, Set<ColumnName> open) {
    if (cell.column().qualifier().isEmpty()) {
      return;
    }
    ColumnName column = Families.column(cell.column().qualifier());
    if (contains(column)) {
      Intent intent = Intent.read(row, cell);
      if (intent.undecided() && intent.kind() != Intent.Kind.LOCK) {
        open.add(column);
      }
    }
  }
}
