package io.braid.testkit.contract;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.RowCells;
import io.braid.core.store.Selection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/** The content of a table, written so simply that it cannot be wrong. */
final class CellModel {
  private final TreeMap<Row, TreeSet<Cell>> rows = new TreeMap<>();

  void put(Row row, Cell cell) {
    delete(row, cell.column(), cell.version());
    rows.computeIfAbsent(row, r -> new TreeSet<>(Cell.ORDER)).add(cell);
  }

  void delete(Row row, ColumnName column, long version) {
    rows.computeIfAbsent(row, r -> new TreeSet<>(Cell.ORDER))
        .removeIf(cell -> cell.column().equals(column) && cell.version() == version);
  }

  RowCells read(Row row, Collection<Selection> selections) {
    List<Cell> cells = new ArrayList<>();
    for (Cell cell : rows.getOrDefault(row, new TreeSet<>(Cell.ORDER))) {
      if (selections.stream().anyMatch(selection -> selects(selection, row, cell))) {
        cells.add(cell);
      }
    }
    return new RowCells(row, cells);
  }

  List<RowCells> scan(KeyRange range, Collection<Selection> selections) {
    return rows.keySet().stream()
        .filter(row -> range.contains(row.key()))
        .map(row -> read(row, selections))
        .filter(cells -> !cells.isEmpty())
        .toList();
  }

  private boolean selects(Selection selection, Row row, Cell cell) {
    Bytes qualifier = selection.qualifier();
    return cell.column().family().equals(selection.family())
        && (qualifier == null || qualifier.equals(cell.column().qualifier()))
        && within(selection, cell)
        && newer(selection, row, cell) < selection.maxVersions();
  }

  private long newer(Selection selection, Row row, Cell cell) {
    return rows.getOrDefault(row, new TreeSet<>(Cell.ORDER)).stream()
        .filter(other -> other.column().equals(cell.column()) && within(selection, other))
        .filter(other -> other.version() > cell.version())
        .count();
  }

  private static boolean within(Selection selection, Cell cell) {
    return cell.version() >= selection.minVersion() && cell.version() <= selection.maxVersion();
  }
}
