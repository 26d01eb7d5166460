package io.braid.core.store;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import java.util.ArrayList;
import java.util.List;

/** What is shown of stored cells of a row where the table has veils. */
public final class ShownColumns {
  private ShownColumns() {}

  /**
   * @param stored all cells of some columns of a row, in order
   */
  public static List<Cell> of(Veils veils, List<Cell> stored) {
    List<Cell> shown = new ArrayList<>(stored.size());
    int from = 0;
    while (from < stored.size()) {
      int to = from + 1;
      while (to < stored.size() && stored.get(to).column().equals(stored.get(from).column())) {
        to++;
      }
      shown.addAll(veils.show(stored.subList(from, to), 0, Long.MAX_VALUE, Integer.MAX_VALUE));
      from = to;
    }
    return shown;
  }

  /**
   * Adds what some selections take of a column.
   *
   * @param stored all cells of the column, from the highest version down
   */
  public static void select(
      Veils veils, List<Cell> stored, List<Selection> selections, List<Cell> out) {
    List<Cell> found = new ArrayList<>(stored.size());
    for (Selection selection : selections) {
      long atMost = selection.maxVersion();
      List<Cell> seen = stored.stream().filter(cell -> cell.version() <= atMost).toList();
      found.addAll(veils.show(seen, selection.minVersion(), atMost, selection.maxVersions()));
    }
    found.sort(Cell.ORDER);
    Cell last = null;
    for (Cell cell : found) {
      if (last == null || Cell.ORDER.compare(last, cell) != 0) {
        out.add(cell);
      }
      last = cell;
    }
  }

  /**
   * What selections take of a row.
   *
   * @param stored all cells of the families or columns that are selected, in order
   */
  public static List<Cell> row(Veils veils, List<Cell> stored, List<Selection> selections) {
    List<Cell> shown = new ArrayList<>(stored.size());
    int from = 0;
    while (from < stored.size()) {
      ColumnName column = stored.get(from).column();
      int to = from + 1;
      while (to < stored.size() && stored.get(to).column().equals(column)) {
        to++;
      }
      List<Selection> wanted = selections.stream().filter(each -> takes(each, column)).toList();
      select(veils, stored.subList(from, to), wanted, shown);
      from = to;
    }
    return shown;
  }

  private static boolean takes(Selection selection, ColumnName column) {
    Bytes qualifier = selection.qualifier();
    return selection.family().equals(column.family())
        && (qualifier == null || qualifier.equals(column.qualifier()));
  }
}
