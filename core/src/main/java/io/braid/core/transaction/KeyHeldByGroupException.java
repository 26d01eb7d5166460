package io.braid.core.transaction;

import io.braid.core.data.Row;
import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/**
 * A key group owns the row: write through the group, or wait until the group is deleted. Nothing
 * was written; the transaction is rolled back. Reads are not refused: they see the values that the
 * group has shipped.
 */
@API(status = API.Status.STABLE)
public class KeyHeldByGroupException extends TransactionException {
  private final transient Row row;
  private final String group;

  public KeyHeldByGroupException(Row row, String group, Row leader) {
    super(
        ErrorCode.HELD_BY_GROUP,
        "Row "
            + row
            + " is held by group '"
            + group
            + "', led by "
            + leader
            + ": write through the group, or wait until it is deleted.",
        null);
    this.row = row;
    this.group = group;
  }

  /** The row, or one of several. */
  public Row row() {
    return row;
  }

  /** The name of the group. */
  public String group() {
    return group;
  }
}
