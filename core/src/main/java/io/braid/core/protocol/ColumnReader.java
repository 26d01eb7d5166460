package io.braid.core.protocol;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import java.util.List;
import java.util.SortedMap;

/** Reads columns at a snapshot by the whole read rule: where a scan has to look closer. */
public interface ColumnReader {
  /** Columns of a row. */
  record RowColumns(Row row, List<ColumnName> columns) {
    public RowColumns {
      columns = List.copyOf(columns);
    }
  }

  /** Reads the values that exist, in the order of the wanted columns. */
  List<SortedMap<ColumnName, Bytes>> read(List<RowColumns> wanted, long snapshot);
}
