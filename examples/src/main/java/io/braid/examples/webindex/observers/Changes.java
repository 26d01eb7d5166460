package io.braid.examples.webindex.observers;

import io.braid.core.data.Column;
import io.braid.core.data.Row;
import io.braid.core.transaction.Transaction;
import java.util.Optional;

/** Writes only new values, so that unchanged values trigger no observers. */
final class Changes {
  private Changes() {}

  /**
   * Makes a column hold this value, or none.
   *
   * @return whether that is a change
   */
  static <T> boolean write(Transaction tx, Row row, Column<T> column, Optional<T> value) {
    return write(tx, row, column, tx.get(row, column), value);
  }

  /** As {@link #write(Transaction, Row, Column, Optional)}, when the previous value is known. */
  static <T> boolean write(
      Transaction tx, Row row, Column<T> column, Optional<T> before, Optional<T> value) {
    if (value.equals(before)) {
      return false;
    }
    if (value.isPresent()) {
      tx.set(row, column, value.get());
    } else {
      tx.delete(row, column);
    }
    return true;
  }
}
