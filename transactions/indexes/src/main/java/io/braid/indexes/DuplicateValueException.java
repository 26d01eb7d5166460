package io.braid.indexes;

import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
import io.braid.core.failure.ErrorCode;
import io.braid.core.transaction.TransactionException;
import org.apiguardian.api.API;

/**
 * A unique index does not allow the value: another row has it. Thrown by the write itself, which is
 * not in the transaction then; what the transaction wrote before is, and can be committed. Two that
 * write the value at the same time conflict instead. {@link Indexes#create Indexes.create} throws
 * it when two rows have the same value already.
 */
@API(status = API.Status.STABLE)
public final class DuplicateValueException extends TransactionException {
  private static final long serialVersionUID = 1;

  DuplicateValueException(String index, Bytes value, Row holder) {
    super(
        ErrorCode.DUPLICATE_VALUE,
        "Index "
            + index
            + " is unique, and the value "
            + value
            + " is that of row "
            + holder
            + ": use another, or change that row first.",
        null);
  }
}
