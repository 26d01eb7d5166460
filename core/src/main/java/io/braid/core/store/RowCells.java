package io.braid.core.store;

import io.braid.core.data.Cell;
import io.braid.core.data.Row;
import java.util.List;

/** Cells of a row, in the order of {@link Cell#ORDER}. */
public record RowCells(Row row, List<Cell> cells) {
  public RowCells {
    cells = List.copyOf(cells);
  }

  public boolean isEmpty() {
    return cells.isEmpty();
  }
}
