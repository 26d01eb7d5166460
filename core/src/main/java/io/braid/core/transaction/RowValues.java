package io.braid.core.transaction;

import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import java.util.Optional;
import java.util.SortedMap;

/** The values of a row that were asked for; columns without a value do not appear. */
public record RowValues(Row row, SortedMap<ColumnName, Bytes> values) {
  public RowValues {
    values = ColumnValues.copyOf(values);
  }

  public <T> Optional<T> get(Column<T> column) {
    return Optional.ofNullable(values.get(column.name())).map(column.codec()::decode);
  }

  public boolean isEmpty() {
    return values.isEmpty();
  }
}
