package io.braid.core.store;

/**
 * What was begun before a table was dropped met the table that was created again under its name:
 * nothing of it was read, and nothing was written. Begin again: what begins now works with the new
 * table. {@link io.braid.core.transaction.Transactions#run run} does so by itself.
 *
 * <p>So is what was begun before a table was created for the first time: nobody remembers whether
 * there was one before.
 */
public class TableReplacedException extends UnknownTableException {
  private final String table;
  private final long birth;

  /**
   * @param birth when the table that stands there now was created
   */
  public TableReplacedException(String table, long birth) {
    super(
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

  /** The timestamp at which the table that stands there now was created. */
  public long birth() {
    return birth;
  }
}
