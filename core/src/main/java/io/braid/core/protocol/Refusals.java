package io.braid.core.protocol;

import io.braid.core.cells.WriteGuard.Refusal;
import io.braid.core.store.StoreException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.ConflictException.Conflict;
import io.braid.core.transaction.HoldLostException;
import io.braid.core.transaction.KeyHeldByGroupException;
import io.braid.core.transaction.TransactionExpiredException;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a transaction tells its caller when a row may not be written. */
public final class Refusals {
  private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

  private Refusals() {}

  /**
   * Learns a new epoch by the way.
   *
   * @param start of the transaction
   * @param stale what it writes in the table of a new epoch, as conflicts
   */
  public static RuntimeException of(
      Refusal refusal,
      long start,
      TableCatalog tables,
      Function<Refusal.StaleEpoch, List<Conflict>> stale) {
    if (refusal instanceof Refusal.Held held) {
      return new KeyHeldByGroupException(held.row(), held.group(), held.leader());
    }
    if (refusal instanceof Refusal.NotHeld not) {
      return new HoldLostException(not.row(), not.group());
    }
    if (refusal instanceof Refusal.BelowWatermark below) {
      return TransactionExpiredException.belowWatermark(start, below.watermark());
    }
    Refusal.StaleEpoch epoch = (Refusal.StaleEpoch) refusal;
    try {
      tables.refresh(epoch.table());
    } catch (StoreException e) {
      LOG.debug("The new epoch of {} will be looked up again.", epoch.table(), e);
    }
    return new ConflictException(stale.apply(epoch));
  }
}
