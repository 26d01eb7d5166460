package io.braid.groups.leader;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.protocol.ColumnRules;
import io.braid.core.protocol.TableCatalog;
import io.braid.core.transaction.Limits;
import io.braid.groups.log.LogEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks, before a commit is acknowledged, that the store will take it. The store sees the commit
 * only when it is shipped, and a refusal then holds up all later commits. So this class makes every
 * check that a transaction of the store makes.
 */
final class ShippingCheck {
  /** The size of the position in the log, beside the key of its row. */
  private static final int POSITION_BYTES = 64;

  private final TableCatalog tables;
  private final Limits limits;
  private final StoreRules rules;

  ShippingCheck(TableCatalog tables, Limits limits, StoreRules rules) {
    this.tables = tables;
    this.limits = limits;
    this.rules = rules;
  }

  /**
   * Refuses a write that the store would not take.
   *
   * @param value null when it is deleted
   * @throws IllegalArgumentException when it would not
   * @throws io.braid.core.store.UnknownTableException when there is no such table or family
   */
  void require(Row row, ColumnName column, @Nullable Bytes value) {
    ColumnRules.checkUsers(row.table(), column);
    requireReadable(row, column);
    if (value != null) {
      limits.requireValue(row, column, value);
    }
    rules.require(row, column, value);
  }

  /** Refuses a read of a column that cannot be. */
  void requireReadable(Row row, ColumnName column) {
    tables.require(row.table(), column.family());
    if (column.qualifier().length() > limits.keyBytes()) {
      throw new IllegalArgumentException(
          "The qualifier of " + row + "/" + column + " is too long.");
    }
  }

  /** How many bytes a write takes in a transaction of the store, at most. */
  long bytes(Row row, ColumnName column, @Nullable Bytes value) {
    return row.key().length()
        + column.qualifier().length()
        + (value == null ? 0 : value.length())
        + rules.bytesBeside(row, column);
  }

  /** Returns the size of all writes of a commit. */
  long bytes(List<LogEntry.Write> writes) {
    return writes.stream()
        .mapToLong(write -> bytes(write.row(), write.column(), write.value()))
        .sum();
  }

  /** How many bytes of a group may be shipped in one transaction. */
  long most(Row leader) {
    return limits.transactionBytes() - leader.key().length() - POSITION_BYTES;
  }

  /**
   * @throws IllegalArgumentException when a commit is too large to be shipped
   */
  void requireRoom(long bytes, Row leader) {
    if (bytes > most(leader)) {
      throw new IllegalArgumentException(
          "The transaction of the group would write "
              + bytes
              + " bytes to the store with what belongs to it, over the limit of "
              + limits.transactionBytes()
              + ", which limits.transaction sets: use several transactions.");
    }
  }
}
