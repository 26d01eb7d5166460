package io.braid.core.transaction;

import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apiguardian.api.API;

/**
 * The changes that a {@link FastSession} writes in one row. Immutable.
 *
 * <pre>{@code
 * fast.write(RowChange.of(row).set(visits, 7L).delete(draft));
 * }</pre>
 */
@API(status = API.Status.STABLE)
public final class RowChange {
  private final Row row;
  private final SortedMap<ColumnName, Optional<Bytes>> columns;

  private RowChange(Row row, SortedMap<ColumnName, Optional<Bytes>> columns) {
    this.row = row;
    this.columns = columns;
  }

  /** Begins an empty change; at least one column has to follow. */
  public static RowChange of(Row row) {
    return new RowChange(row, Collections.emptySortedMap());
  }

  /** The same, and a value. */
  public <T> RowChange set(Column<T> column, T value) {
    return with(column.name(), Optional.of(column.encode(value)));
  }

  /** The same, and no value in a column. */
  public RowChange delete(Column<?> column) {
    return with(column.name(), Optional.empty());
  }

  private RowChange with(ColumnName column, Optional<Bytes> value) {
    SortedMap<ColumnName, Optional<Bytes>> more = new TreeMap<>(columns);
    more.put(column, value);
    return new RowChange(row, more);
  }

  /** The row that is written. */
  public Row row() {
    return row;
  }

  /** The values by their columns; empty for those that are deleted. */
  public SortedMap<ColumnName, Optional<Bytes>> columns() {
    return Collections.unmodifiableSortedMap(columns);
  }

  @Override
  public String toString() {
    return row + "/" + columns.keySet();
  }
}
