package io.braid.core.cells;

import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Lists;
import io.braid.core.data.Row;
import java.util.List;

/**
 * All that one transaction writes in one row.
 *
 * @param epoch the epoch of the table that the transaction was begun with
 * @param cells the writes, no column twice
 * @param weak columns to notify weakly
 */
public record RowMutation(Row row, long epoch, List<CellWrite> cells, List<ColumnName> weak) {
  public RowMutation {
    cells = List.copyOf(cells);
    weak = List.copyOf(weak);
  }

  public void encode(Encoder to) {
    to.row(row).varint(epoch);
    Lists.encode(to, cells, CellWrite::encode);
    Lists.encode(to, weak, (column, out) -> out.column(column));
  }

  public static RowMutation decode(Decoder from) {
    return new RowMutation(
        from.row(),
        from.varint(),
        Lists.decode(from, CellWrite::decode),
        Lists.decode(from, Decoder::column));
  }
}
