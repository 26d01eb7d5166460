package io.braid.batch.job;

import io.braid.batch.FailureCode;
import io.braid.batch.LoadContext;
import io.braid.batch.input.RawRecord;
import io.braid.batch.mapping.RecordMapper;
import io.braid.batch.mapping.RejectedException;
import io.braid.batch.sink.SinkRecord;
import io.braid.core.cells.CellWrite;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.protocol.WriteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Turns a record into one for the sink; rejects records that the table would refuse. */
final class RecordRows {
  private RecordRows() {}

  static SinkRecord map(
      LoadContext context, String table, LoadOptions options, RecordMapper mapper, RawRecord record)
      throws RejectedException {
    RecordMapper.MappedRow mapped = mapper.map(record);
    Row row = Row.of(table, mapped.key());
    WriteBuffer buffer = new WriteBuffer(context.limits(), context.smallValueBytes());
    try {
      for (Map.Entry<ColumnName, Bytes> each : mapped.values().entrySet()) {
        buffer.set(row, each.getKey(), each.getValue());
      }
    } catch (IllegalArgumentException e) {
      throw new RejectedException(FailureCode.TOO_LARGE, String.valueOf(e.getMessage()));
    }
    List<CellWrite> cells = new ArrayList<>(mapped.values().size());
    for (CellWrite cell : buffer.at(row).values()) {
      boolean observed = options.observe() && context.changes().isObserved(table, cell.column());
      cells.add(new CellWrite(cell.column(), cell.kind(), cell.value(), observed));
    }
    return new SinkRecord(record, row, cells);
  }
}
