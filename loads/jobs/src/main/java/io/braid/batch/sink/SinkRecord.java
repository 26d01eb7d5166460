package io.braid.batch.sink;

import io.braid.batch.input.RawRecord;
import io.braid.core.cells.CellWrite;
import io.braid.core.data.Row;
import java.util.List;

/** A record on its way to the store, with its original form in the input. */
public record SinkRecord(RawRecord raw, Row row, List<CellWrite> cells) {
  public SinkRecord {
    cells = List.copyOf(cells);
  }

  long bytes() {
    long bytes = row.key().length();
    for (CellWrite cell : cells) {
      bytes += cell.column().qualifier().length() + cell.value().length();
    }
    return bytes;
  }
}
