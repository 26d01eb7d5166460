package io.braid.omid;

import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.omid.rows.CommitEntries;
import java.util.List;

/**
 * Rows of a transaction whose end is known, with tentative cells to be dealt with.
 *
 * @param commit its commit timestamp, or {@link CommitEntries#INVALID}
 * @param forget whether these are all its rows, so that its entry can be removed after them
 */
record DecidedRows(long start, long commit, List<Written> rows, boolean forget) {
  /**
   * A row.
   *
   * @param columns all that the transaction writes in it; none when that is not known
   */
  record Written(Row row, List<ColumnName> columns) {
    static Written of(Row row) {
      return new Written(row, List.of());
    }
  }

  boolean isCommitted() {
    return commit != CommitEntries.INVALID;
  }
}
