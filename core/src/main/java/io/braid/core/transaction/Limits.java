package io.braid.core.transaction;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import org.apiguardian.api.API;

/**
 * The most that a transaction may write, in bytes; the settings {@code limits.*}. Larger input is
 * refused before anything of it is written.
 *
 * @param keyBytes of a row key or a qualifier
 * @param valueBytes of one value
 * @param transactionBytes of the writes of a transaction that are held in memory
 * @param totalBytes of all keys and values of a transaction. Where this is more than {@code
 *     transactionBytes}, a transaction that outgrows the memory writes into the store before it
 *     commits, if its protocol can
 */
@API(status = API.Status.EXPERIMENTAL)
public record Limits(int keyBytes, int valueBytes, long transactionBytes, long totalBytes) {
  /** Keys of 4 KiB, values of 16 MiB, 256 MiB in memory and 16 GiB in all. */
  public static final Limits DEFAULT = new Limits(4 << 10, 16 << 20, 256L << 20, 16L << 30);

  /** Transactions have room in memory, or are refused. */
  public Limits(int keyBytes, int valueBytes, long transactionBytes) {
    this(keyBytes, valueBytes, transactionBytes, transactionBytes);
  }

  /** Whether a transaction may be larger than what is held in memory. */
  public boolean streams() {
    return totalBytes > transactionBytes;
  }

  /**
   * Refuses a value that is too large.
   *
   * @throws IllegalArgumentException when it is
   */
  public void requireValue(Row row, ColumnName column, Bytes value) {
    if (value.length() > valueBytes) {
      throw new IllegalArgumentException(
          "The value for "
              + row
              + "/"
              + column
              + " has "
              + value.length()
              + " bytes, over the limit of "
              + valueBytes
              + ".");
    }
  }

  /**
   * Refuses a row key or a qualifier that is too long, and an empty row key.
   *
   * @throws IllegalArgumentException when one is
   */
  public void requireKeys(Row row, ColumnName column) {
    requireKey(row.key(), "row key", row, column);
    if (!column.family().equals(Families.ACK)) {
      requireKey(column.qualifier(), "qualifier", row, column);
    }
    if (row.key().isEmpty()) {
      throw new IllegalArgumentException("A row key of table " + row.table() + " is empty.");
    }
  }

  private void requireKey(Bytes part, String what, Row row, ColumnName column) {
    if (part.length() > keyBytes) {
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
              + keyBytes
              + ".");
    }
  }

  /**
   * Refuses a cell that makes a transaction too large.
   *
   * @param bytes of the transaction with the cell
   * @param most how many it may write
   * @throws IllegalArgumentException when it does
   */
  public static void requireRoom(long bytes, long most, Row row, ColumnName column) {
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
}
