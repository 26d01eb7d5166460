package io.braid.core.store;

import io.braid.core.data.Cell;
import io.braid.core.data.Row;
import java.util.List;
import org.apiguardian.api.API;

/** Cells of a row, in the order of {@link Cell#ORDER}. */
@API(status = API.Status.EXPERIMENTAL)
public record RowCells(Row row, List<Cell> cells) {
  public RowCells {
    cells = List.copyOf(cells);
  }

  /**
   * Returns the size of the row in bytes, roughly: its key, and the names and values of its cells.
   */
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
