package io.braid.core.store;

import io.braid.core.data.Cell;
import io.braid.core.data.Row;

/**
 * A cell does not hold what its place says it does. Trying again is of no use. A procedure that
 * meets one throws this and so does the call; what else was in the call may have been executed.
 */
public final class DamagedCellException extends StoreException {
  public DamagedCellException(String message) {
    super(message);
  }

  /**
   * @param what it should be
   */
  public DamagedCellException(String what, Row row, Cell cell, RuntimeException cause) {
    super(
        "The "
            + what
            + " of "
            + row
            + "/"
            + cell.column()
            + " at version "
            + cell.version()
            + " is damaged: "
            + cause.getMessage()
            + " Write the column anew, or restore the table from a backup.",
        cause);
  }
}
