package io.braid.core.protocol;

import io.braid.core.data.Bytes;
import io.braid.core.data.Column;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.transaction.RowValues;
import io.braid.core.transaction.Snapshot;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** The snapshot of a protocol: it reads different columns of different rows in one trip. */
public interface ProtocolSnapshot extends Snapshot {
  /**
   * @return for every row that is wanted, in this order, the columns that have a value
   */
  Map<Row, SortedMap<ColumnName, Bytes>> getAll(Map<Row, List<ColumnName>> wanted);

  @Override
  default Map<Row, RowValues> getAll(
      Collection<Row> rows, Collection<? extends Column<?>> columns) {
    List<ColumnName> names = names(columns);
    Map<Row, List<ColumnName>> wanted = new LinkedHashMap<>();
    for (Row row : rows) {
      wanted.put(row, names);
    }
    Map<Row, RowValues> all = new LinkedHashMap<>();
    getAll(wanted).forEach((row, values) -> all.put(row, new RowValues(row, values)));
    return all;
  }

  /** The names of columns, each once. */
  static List<ColumnName> names(Collection<? extends Column<?>> columns) {
    if (columns.size() == 1) {
      return List.of(columns.iterator().next().name());
    }
    LinkedHashSet<ColumnName> names = new LinkedHashSet<>();
    for (Column<?> column : columns) {
      names.add(column.name());
    }
    return List.copyOf(names);
  }
}
