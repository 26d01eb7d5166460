package io.braid.core.transaction;

import io.braid.core.data.Row;
import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/**
 * A writer stayed undecided, and alive, longer than a reader may wait: {@code read.wait}, 30 s by
 * default. Nothing was written, and the transaction goes on; read again, or later.
 */
@API(status = API.Status.STABLE)
public class BlockedByTransactionException extends TransactionException {
  public BlockedByTransactionException(Row row, long start, long waitedMillis) {
    super(
        ErrorCode.UNAVAILABLE,
        "Row "
            + row
            + " is being written by the transaction begun at "
            + start
            + ", still undecided after "
            + waitedMillis
            + " ms. Try again later.",
        null);
  }
}
