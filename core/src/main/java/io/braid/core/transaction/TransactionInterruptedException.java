package io.braid.core.transaction;

import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/**
 * The thread was interrupted while it waited; its interrupt is still set. Nothing was committed; a
 * transaction that was being committed is rolled back. End the thread, or clear the interrupt and
 * begin again.
 */
@API(status = API.Status.STABLE)
public class TransactionInterruptedException extends TransactionException {
  public TransactionInterruptedException(long timestamp) {
    super(
        "The thread was interrupted in the transaction or snapshot at "
            + timestamp
            + "; nothing was committed.",
        null);
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.UNAVAILABLE;
  }
}
