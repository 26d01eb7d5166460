package io.braid.core.protocol;

import io.braid.core.cells.WriteGuard.Refusal;
import io.braid.core.store.StoreException;
import io.braid.core.store.TableReplacedException;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.ConflictException.Conflict;
import io.braid.core.transaction.HoldLostException;
import io.braid.core.transaction.KeyHeldByGroupException;
import io.braid.core.transaction.TransactionException;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the caller of a transaction why a row may not be written. */
public final class Refusals {
  private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);

  private Refusals() {}

  /**
   * Makes the exception of a refusal, and learns a new epoch from it.
   *
   * @param start of the transaction
   * @param stale the transaction's writes in the table with the new epoch, as conflicts
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
      return TransactionException.belowWatermark(start, below.watermark());
    }
    if (refusal instanceof Refusal.Replaced replaced) {
      learn(tables, replaced.table());
      return new TableReplacedException(replaced.table(), replaced.birth());
    }
    Refusal.StaleEpoch epoch = (Refusal.StaleEpoch) refusal;
    long birth = learn(tables, epoch.table());
    return birth > start
        ? new TableReplacedException(epoch.table(), birth)
        : new ConflictException(stale.apply(epoch));
  }

  /** The birth of a table; 0 when it could not be looked up. */
  private static long learn(TableCatalog tables, String table) {
    try {
      return tables.refresh(table).birth();
    } catch (StoreException e) {
      LOG.debug("The new epoch of {} will be looked up again.", table, e);
      return 0;
    }
  }
}
