package io.braid.core.transaction;

import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import java.util.Optional;
import java.util.SortedMap;
import org.apiguardian.api.API;

/**
 * The requested values of a row; columns without a value do not appear. Immutable.
 *
 * @param values as bytes, in the order of the columns; {@link #get get} decodes
 */
@API(status = API.Status.STABLE)
public record RowValues(Row row, SortedMap<ColumnName, Bytes> values) {
  public RowValues {
    values = ColumnValues.copyOf(values);
  }

  /**
   * Returns the value of a column; empty when the column has none, or was not requested.
   *
   * @throws IllegalArgumentException when the bytes are not of the column's codec
   */
  public <T> Optional<T> get(Column<T> column) {
    return Optional.ofNullable(values.get(column.name())).map(column.codec()::decode);
  }

  /** Returns whether none of the requested columns has a value. */
  public boolean isEmpty() {
    return values.isEmpty();
  }
}
