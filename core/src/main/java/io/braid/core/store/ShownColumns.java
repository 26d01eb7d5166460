package io.braid.core.store;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.apiguardian.api.API;

/**
 * Selects the stored cells of a row that are shown where the table has veils.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class ShownColumns {
  private ShownColumns() {}

  /**
   * @param stored all cells of some columns of a row, in order
   */
  public static List<Cell> of(Veils veils, List<Cell> stored) {
    List<Cell> shown = new ArrayList<>(stored.size());
    forEachColumn(
        stored,
        (column, cells) -> shown.addAll(veils.show(cells, 0, Long.MAX_VALUE, Integer.MAX_VALUE)));
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
   * Returns the cells of a row that selections take.
   *
   * @param stored all cells of the families or columns that are selected, in order
   */
  public static List<Cell> row(Veils veils, List<Cell> stored, List<Selection> selections) {
    List<Cell> shown = new ArrayList<>(stored.size());
    forEachColumn(
        stored,
        (column, cells) -> {
          List<Selection> wanted = selections.stream().filter(each -> takes(each, column)).toList();
          select(veils, cells, wanted, shown);
        });
    return shown;
  }

  private static void forEachColumn(
      List<Cell> stored, BiConsumer<ColumnName, List<Cell>> cellsOfColumn) {
    int from = 0;
    while (from < stored.size()) {
      ColumnName column = stored.get(from).column();
      int to = from + 1;
      while (to < stored.size() && stored.get(to).column().equals(column)) {
        to++;
      }
      cellsOfColumn.accept(column, stored.subList(from, to));
      from = to;
    }
  }

  private static boolean takes(Selection selection, ColumnName column) {
    Bytes qualifier = selection.qualifier();
    return selection.family().equals(column.family())
        && (qualifier == null || qualifier.equals(column.qualifier()));
  }
}
