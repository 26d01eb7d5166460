package io.braid;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.groups.leader.StoreRules;
import io.braid.indexes.Index;
import io.braid.indexes.IndexEntry;
import io.braid.indexes.IndexRegistry;
import io.braid.tables.BoundTransactions;
import org.jspecify.annotations.Nullable;

/** The rules that indexes of tables impose on key groups, whose commits reach the store later. */
final class GroupRules implements StoreRules {
  private final BoundTransactions transactions;
  private final IndexRegistry indexes;

  GroupRules(BoundTransactions transactions, IndexRegistry indexes) {
    this.transactions = transactions;
    this.indexes = indexes;
  }

  @Override
  public void lookAgain() {
    transactions.lookAgain();
  }

  @Override
  public void requireMembers(String table) {
    if (indexes.isIndex(table)) {
      throw new IllegalArgumentException(
          "Table " + table + " is an index: a group takes rows of the table that it is of.");
    }
  }

  @Override
  public void require(Row row, ColumnName column, @Nullable Bytes value) {
    if (value == null) {
      return;
    }
    for (IndexEntry entry : indexes.of(row.table())) {
      if (entry.index().column().equals(column)) {
        requireFree(entry.index(), row);
        indexes.requireFitsAnywhere(entry, row, value);
      }
    }
  }

  /**
   * Refuses a unique index. Whether another row has the value is known only when the commit reaches
   * the store, and that is too late.
   */
  private static void requireFree(Index index, Row row) {
    if (index.isUnique()) {
      throw new IllegalArgumentException(
          "Column "
              + index.column()
              + " of "
              + row
              + " is not set in a key group, since its index "
              + index.name()
              + " is unique: set it in a transaction, before or after the group.");
    }
  }

  /** An index row that goes and one that comes. */
  @Override
  public long bytesBeside(Row row, ColumnName column) {
    long bytes = 0;
    for (IndexEntry entry : indexes.of(row.table())) {
      if (entry.index().column().equals(column)) {
        bytes += 2 * indexes.mostBytes(entry.index(), row);
      }
    }
    return bytes;
  }
}
