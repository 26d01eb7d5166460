package io.braid.core.transaction;

import io.braid.core.failure.ErrorCode;
import io.braid.core.time.Timestamp;
import org.apiguardian.api.API;

/**
 * Versions that the snapshot would need may have been collected. Begin with a newer one; {@link
 * Transactions#pin Transactions.pin} keeps one, {@code gc.keep} (1 d by default) says how far back
 * all are kept.
 */
@API(status = API.Status.STABLE)
public class SnapshotTooOldException extends TransactionException {
  public SnapshotTooOldException(long timestamp, long oldest) {
    super(
        "Snapshot "
            + timestamp
            + " ("
            + Timestamp.instant(timestamp)
            + ") is too old: the oldest that can be read is "
            + oldest
            + " ("
            + Timestamp.instant(oldest)
            + ").",
        null);
  }

  @Override
  public ErrorCode code() {
    return ErrorCode.SNAPSHOT_TOO_OLD;
  }
}
