package io.braid.core.store;

import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Cells to put and versions to delete in one row, together. The removals come first, so a cell that
 * is both removed and put exists afterwards. Of several puts of one column and version the last
 * counts.
 */
@API(status = API.Status.EXPERIMENTAL)
public record RowWrite(Row row, List<Cell> puts, List<Removal> removals) {
  /** One version of one column to remove. */
  public record Removal(ColumnName column, long version) {}

  public RowWrite {
    puts = List.copyOf(puts);
    removals = List.copyOf(removals);
  }

  /** Puts cells and removes none. */
  public static RowWrite put(Row row, Cell... cells) {
    return new RowWrite(row, List.of(cells), List.of());
  }

  /** Removes one version of a column. */
  public static RowWrite remove(Row row, ColumnName column, long version) {
    return new RowWrite(row, List.of(), List.of(new Removal(column, version)));
  }
}
