package io.braid.groups.leader;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import org.jspecify.annotations.Nullable;

/**
 * The requirements of the store for commits of a group when they are shipped, besides limits,
 * tables and families: those of the indexes of its tables. The creator of an index looks for groups
 * after creating it, and a group looks for indexes once it has a record. So the rules found then
 * hold as long as the group lives.
 */
public interface StoreRules {
  /** Nothing more is asked. */
  StoreRules NONE =
      new StoreRules() {
        @Override
        public void lookAgain() {}

        @Override
        public void requireMembers(String table) {}

        @Override
        public void require(Row row, ColumnName column, @Nullable Bytes value) {}

        @Override
        public long bytesBeside(Row row, ColumnName column) {
          return 0;
        }
      };

  /** Reads again the rules that other processes may have changed. */
  void lookAgain();

  /**
   * @throws IllegalArgumentException when rows of a table are not written by transactions
   */
  void requireMembers(String table);

  /**
   * @param value null when it is deleted
   * @throws IllegalArgumentException when the store may not take the write once it is shipped
   */
  void require(Row row, ColumnName column, @Nullable Bytes value);

  /** How many bytes are written along with a column, at most. */
  long bytesBeside(Row row, ColumnName column);
}
