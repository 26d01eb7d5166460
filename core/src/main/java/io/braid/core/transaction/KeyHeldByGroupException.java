package io.braid.core.transaction;

import io.braid.core.data.Row;

/** A key group owns the row: write through the group, or wait until it is deleted. */
public class KeyHeldByGroupException extends TransactionException {
  public KeyHeldByGroupException(Row row, String group) {
    super("Row " + row + " is held by group '" + group + "': write through the group.", null);
  }
}
