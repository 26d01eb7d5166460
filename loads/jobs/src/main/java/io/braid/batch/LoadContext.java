package io.braid.batch;

import io.braid.core.cells.CellWrite;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.time.TimestampOracle;
import io.braid.core.transaction.ChangeSink;
import io.braid.core.transaction.Limits;
import io.braid.core.transaction.Transactions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
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
    List<CellWrite> cells = new ArrayList<>(values.size());
    long bytes = 0;
    for (Map.Entry<ColumnName, ? extends @Nullable Bytes> each : sorted(values).entrySet()) {
      ColumnName column = each.getKey();
      Bytes value = each.getValue();
      if (value != null) {
        limits.requireValue(row, column, value);
      }
      limits.requireKeys(row, column);
      CellWrite cell =
          value == null ? CellWrite.delete(column) : CellWrite.put(column, value, smallValueBytes);
      bytes += row.key().length() + column.qualifier().length() + cell.value().length();
      Limits.requireRoom(bytes, limits.transactionBytes(), row, column);
      boolean observed = observe && changes.isObserved(row.table(), column);
      cells.add(observed ? new CellWrite(column, cell.kind(), cell.value(), true) : cell);
    }
    return cells;
  }

  private static <V extends @Nullable Bytes> SortedMap<ColumnName, V> sorted(
      Map<ColumnName, V> values) {
    return values instanceof SortedMap<ColumnName, V> already && already.comparator() == null
        ? already
        : new TreeMap<>(values);
  }
}
