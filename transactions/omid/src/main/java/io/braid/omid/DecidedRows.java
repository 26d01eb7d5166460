package io.braid.omid;

import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.omid.rows.CommitEntries;
import java.util.List;

/**
 * Rows of a decided transaction whose tentative cells have to be dealt with.
 *
 * @param commit its commit timestamp, or {@link CommitEntries#INVALID}
 * @param forget whether these are all its rows, so that its entry can be removed after them
 */
record DecidedRows(long start, long commit, List<WrittenRow> rows, boolean forget) {
  /**
   * A row.
   *
   * @param columns all columns that the transaction writes in the row
   * @param weak all columns that it notifies weakly there; if both lists are empty, neither is
   *     known
   */
  record WrittenRow(Row row, List<ColumnName> columns, List<ColumnName> weak) {
    static WrittenRow of(Row row) {
      return new WrittenRow(row, List.of(), List.of());
    }
  }

  boolean isCommitted() {
    return commit != CommitEntries.INVALID;
  }
}
