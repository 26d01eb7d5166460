package io.braid.core.store;

import io.braid.core.data.Cell;
import io.braid.core.data.Row;
import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/**
 * The content of a cell does not fit its place. Trying again is of no use. A procedure that meets
 * such a cell throws this, and so does the call; other items of the call may have been executed.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class DamagedCellException extends StoreException {
  public DamagedCellException(String message) {
    super(ErrorCode.DAMAGED, message);
  }

  /**
   * @param what the expected content
   */
  public DamagedCellException(String what, Row row, Cell cell, RuntimeException cause) {
    super(
        ErrorCode.DAMAGED,
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
            + " Write the column again, or restore the table from a backup.",
        cause);
  }
}
