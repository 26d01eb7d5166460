package io.braid.core.transaction;

import io.braid.core.failure.BraidException;
import io.braid.core.failure.ErrorCode;
import io.braid.core.time.Timestamp;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A transaction could not do what a caller asked. The {@link #code} gives the reason, and each
 * subclass a remedy. Nothing was written, except with {@link CommitOutcomeUnknownException}: then
 * the writes may have happened.
 */
@API(status = API.Status.STABLE)
public class TransactionException extends BraidException {
  public TransactionException(ErrorCode code, String message) {
    super(code, message);
  }

  public TransactionException(ErrorCode code, String message, @Nullable Throwable cause) {
    super(code, message, cause);
  }

  /**
   * Versions that a snapshot would need may have been collected. Begin with a newer one; {@link
   * Transactions#pin Transactions.pin} keeps one, {@code gc.keep} (1 d by default) says how far
   * back all are kept.
   *
   * @return with the code {@link ErrorCode#SNAPSHOT_TOO_OLD}
   */
  public static TransactionException snapshotTooOld(long timestamp, long oldest) {
    return new TransactionException(
        ErrorCode.SNAPSHOT_TOO_OLD,
        "Snapshot "
            + timestamp
            + " ("
            + Timestamp.instant(timestamp)
            + ") is too old: the oldest that can be read is "
            + oldest
            + " ("
            + Timestamp.instant(oldest)
            + ").");
  }

  /**
   * The transaction was rolled back: it lasted longer than {@code transaction.max-age}, 1 h by
   * default. Make the transaction smaller, or run it again.
   *
   * @return with the code {@link ErrorCode#TRANSACTION_EXPIRED}
   */
  public static TransactionException expired(long start, long maxMillis) {
    return rolledBack(
        "The transaction begun at " + start + " lived longer than " + maxMillis + " ms.");
  }

  /**
   * The versions that would conflict with the transaction may have been collected.
   *
   * @return with the code {@link ErrorCode#TRANSACTION_EXPIRED}
   */
  public static TransactionException belowWatermark(long start, long watermark) {
    return rolledBack(
        "The transaction begun at " + start + " lies below the low watermark " + watermark + ".");
  }

  private static TransactionException rolledBack(String why) {
    return new TransactionException(
        ErrorCode.TRANSACTION_EXPIRED, why + " It was rolled back: begin another.");
  }

  /**
   * The thread was interrupted while it waited; its interrupt is still set. Nothing was committed;
   * a transaction that was being committed is rolled back. End the thread, or clear the interrupt
   * and begin again.
   *
   * @return with the code {@link ErrorCode#UNAVAILABLE}
   */
  public static TransactionException interrupted(long timestamp) {
    return new TransactionException(
        ErrorCode.UNAVAILABLE,
        "The thread was interrupted in the transaction or snapshot at "
            + timestamp
            + "; nothing was committed.");
  }
}
