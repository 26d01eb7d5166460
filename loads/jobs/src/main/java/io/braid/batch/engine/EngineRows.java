package io.braid.batch.engine;

import io.braid.batch.LoadContext;
import io.braid.core.cells.CellWrite;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.protocol.WriteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns values into the cells to write. */
final class EngineRows {
  private EngineRows() {}

  /**
   * @param values null deletes a column
   * @throws IllegalArgumentException when key or values are too large
   */
  static List<CellWrite> cells(
      LoadContext database, String table, Bytes key, Map<ColumnName, @Nullable Bytes> values) {
    Row row = new Row(table, key);
    WriteBuffer buffer = new WriteBuffer(database.limits(), database.smallValueBytes());
    values.forEach(
        (column, value) -> {
          if (value == null) {
            buffer.delete(row, column);
          } else {
            buffer.set(row, column, value);
          }
        });
    List<CellWrite> cells = new ArrayList<>(values.size());
    for (CellWrite cell : buffer.at(row).values()) {
      boolean observed = database.changes().isObserved(table, cell.column());
      cells.add(new CellWrite(cell.column(), cell.kind(), cell.value(), observed));
    }
    return cells;
  }
}
