package io.braid.core.store;

import io.braid.core.data.Cell;
import io.braid.core.data.Row;
import java.util.List;

/** Cells of a row, in the order of {@link Cell#ORDER}. */
public record RowCells(Row row, List<Cell> cells) {
  public RowCells {
    cells = List.copyOf(cells);
  }

  /** What the row takes up, roughly: its key, and names and values of its cells. */
  public long bytes() {
    long bytes = row.key().length();
    for (Cell cell : cells) {
      bytes += cell.column().qualifier().length() + (long) cell.value().length();
    }
    return bytes;
  }

  public boolean isEmpty() {
    return cells.isEmpty();
  }
}
