package io.braid.core.protocol;

import io.braid.core.cells.CellWrite;
import io.braid.core.cells.Families;
import io.braid.core.cells.Intent;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.transaction.Limits;
import org.jspecify.annotations.Nullable;

/** The rules that say which writes a transaction may make, and which values are stored apart. */
public final class WriteRules {
  private final Limits limits;
  private final long most;
  private final int smallValueBytes;

  /** Makes the rules for a transaction that is held in memory until it commits. */
  public WriteRules(Limits limits, int smallValueBytes) {
    this(limits, limits.transactionBytes(), smallValueBytes);
  }

  /**
   * @param most how many bytes it may write in all
   */
  WriteRules(Limits limits, long most, int smallValueBytes) {
    this.limits = limits;
    this.most = most;
    this.smallValueBytes = smallValueBytes;
  }

  /**
   * A write of a value, or a deletion when it is null.
   *
   * @throws IllegalArgumentException when the value is too large
   */
  public CellWrite cell(Row row, ColumnName column, @Nullable Bytes value) {
    if (value == null) {
      return new CellWrite(column, Intent.Kind.DELETE, Bytes.EMPTY, false);
    }
    limits.requireValue(row, column, value);
    // Acknowledgments are timestamps; their family has no companion for large values.
    boolean large = value.length() > smallValueBytes && !column.family().equals(Families.ACK);
    Intent.Kind kind = large ? Intent.Kind.PUT_LARGE : Intent.Kind.PUT;
    return new CellWrite(column, kind, value, false);
  }

  /**
   * How many bytes a transaction writes with a cell more, which is in no row or column that it may
   * not be in.
   *
   * @param bytes those before
   * @throws IllegalArgumentException when a key is too long, or it is too many
   */
  public long add(long bytes, Row row, CellWrite cell) {
    check(row, cell.column());
    long all =
        bytes + row.key().length() + cell.column().qualifier().length() + cell.value().length();
    requireRoom(all, row, cell.column());
    return all;
  }

  void check(Row row, ColumnName column) {
    check(row.key(), "row key", row, column);
    if (!column.family().equals(Families.ACK)) {
      check(column.qualifier(), "qualifier", row, column);
    }
    if (row.key().isEmpty()) {
      throw new IllegalArgumentException("A row key of table " + row.table() + " is empty.");
    }
  }

  void requireRoom(long bytes, Row row, ColumnName column) {
    if (bytes > most) {
      throw new IllegalArgumentException(
          "With "
              + row
              + "/"
              + column
              + " the transaction would write "
              + bytes
              + " bytes, over the limit of "
              + most
              + ": use several transactions.");
    }
  }

  private void check(Bytes part, String what, Row row, ColumnName column) {
    if (part.length() > limits.keyBytes()) {
      throw new IllegalArgumentException(
          "The "
              + what
              + " in "
              + row
              + "/"
              + column
              + " has "
              + part.length()
              + " bytes, over the limit of "
              + limits.keyBytes()
              + ".");
    }
  }
}
