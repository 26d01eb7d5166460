package io.braid.core.transaction;

/** The transaction lived longer than the policy allows and was rolled back. Run it again. */
public class TransactionExpiredException extends TransactionException {
  public TransactionExpiredException(long start, long maxMillis) {
    super("The transaction begun at " + start + " lived longer than " + maxMillis + " ms.", null);
  }
}
