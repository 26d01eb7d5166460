package io.braid.core.transaction;

/**
 * The transaction lasted longer than {@code transaction.max-age}, 1 h by default, or began before
 * what the store still takes writes of, and was rolled back. Make it smaller, or run it again.
 */
public class TransactionExpiredException extends TransactionException {
  public TransactionExpiredException(long start, long maxMillis) {
    this("The transaction begun at " + start + " lived longer than " + maxMillis + " ms.");
  }

  private TransactionExpiredException(String message) {
    super(message + " It was rolled back: begin another.", null);
  }

  /** What the transaction would have to be checked against may have been collected. */
  public static TransactionExpiredException belowWatermark(long start, long watermark) {
    return new TransactionExpiredException(
        "The transaction begun at " + start + " lies below the low watermark " + watermark + ".");
  }
}
