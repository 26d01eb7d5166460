package io.braid.core.transaction;

import io.braid.core.failure.ErrorCode;
import org.apiguardian.api.API;

/**
 * The transaction was rolled back: it lasted longer than {@code transaction.max-age}, 1 h by
 * default, or is too old for the store to take its writes. Make the transaction smaller, or run it
 * again.
 */
@API(status = API.Status.STABLE)
public class TransactionExpiredException extends TransactionException {
  public TransactionExpiredException(long start, long maxMillis) {
    this("The transaction begun at " + start + " lived longer than " + maxMillis + " ms.");
  }

  private TransactionExpiredException(String message) {
    super(message + " It was rolled back: begin another.", null);
  }

  /** Returns an exception for a transaction whose conflicting versions may have been collected. */
  public static TransactionExpiredException belowWatermark(long start, long watermark) {
    return new TransactionExpiredException(
        "The transaction begun at " + start + " lies below the low watermark " + watermark + ".");
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.TRANSACTION_EXPIRED;
  }
}
