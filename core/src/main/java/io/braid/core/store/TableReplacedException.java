package io.braid.core.store;

import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/**
 * Work that began before a table was dropped met the table that was created again under its name.
 * Nothing of the new table was read, and nothing was written. Begin again: work that begins now
 * uses the new table. {@link io.braid.core.transaction.Transactions#run run} does so by itself.
 *
 * <p>The same applies to work that began before a table was created for the first time: no record
 * remains whether there was a table before.
 */
@API(status = API.Status.STABLE)
public class TableReplacedException extends UnknownTableException {
  private final String table;
  private final long birth;

  /**
   * @param birth when the present table of this name was created
   */
  public TableReplacedException(String table, long birth) {
    super(
        ErrorCode.TABLE_REPLACED,
        "Table "
            + table
            + " was created at timestamp "
            + birth
            + ", after this was begun; what the name stood for before is gone: begin again.");
    this.table = table;
    this.birth = birth;
  }

  /** Refuses a snapshot of before a table was created. */
  public static void check(String table, long birth, long snapshot) {
    if (snapshot != 0 && snapshot < birth) {
      throw new TableReplacedException(table, birth);
    }
  }

  public String table() {
    return table;
  }

  /** Returns the timestamp at which the present table of this name was created. */
  public long birth() {
    return birth;
  }
}
