package io.braid.batch;

import io.braid.core.cells.CellWrite;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.protocol.WriteBuffer;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.Limits;
import io.braid.core.transaction.Transactions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * The database that jobs work on; {@code Braid.loads()} gives it.
 *
 * @param loadable which tables may be loaded
 * @param changes knows which columns are observed
 * @param smallValueBytes values up to this size are in the commit record, larger ones apart
 */
@API(status = API.Status.EXPERIMENTAL)
public record LoadContext(
    @API(status = API.Status.INTERNAL) CellStore store,
    @API(status = API.Status.INTERNAL) Transactions transactions,
    @API(status = API.Status.INTERNAL) LoadableTables loadable,
    @API(status = API.Status.INTERNAL) TimestampOracle oracle,
    @API(status = API.Status.INTERNAL) ChangeSink changes,
    @API(status = API.Status.INTERNAL) Seams seams,
    @API(status = API.Status.INTERNAL) Limits limits,
    @API(status = API.Status.INTERNAL) int smallValueBytes) {

  /**
   * For other packages of Braid.
   *
   * @hidden
   */
  @API(status = API.Status.INTERNAL)
  public LoadContext {}

  /**
   * Returns the cells to write of a row, in the order of their columns.
   *
   * @param values null deletes a column
   * @param observe whether writes of observed columns notify observers
   * @throws IllegalArgumentException when the key or a value is too large
   * @hidden
   */
  @API(status = API.Status.INTERNAL)
  public List<CellWrite> cells(
      Row row, Map<ColumnName, ? extends @Nullable Bytes> values, boolean observe) {
    WriteBuffer buffer = new WriteBuffer(limits, smallValueBytes);
    for (Map.Entry<ColumnName, ? extends @Nullable Bytes> each : values.entrySet()) {
      Bytes value = each.getValue();
      if (value == null) {
        buffer.delete(row, each.getKey());
      } else {
        buffer.set(row, each.getKey(), value);
      }
    }
    List<CellWrite> cells = new ArrayList<>(values.size());
    for (CellWrite cell : buffer.at(row).values()) {
      boolean observed = observe && changes.isObserved(row.table(), cell.column());
      cells.add(new CellWrite(cell.column(), cell.kind(), cell.value(), observed));
    }
    return cells;
  }
}
