package io.braid.omid;

import io.braid.core.cells.WriteGuard.Refusal;
import io.braid.core.transaction.ConflictException;
import io.braid.core.transaction.ConflictException.Cause;
import io.braid.core.transaction.HoldLostException;
import io.braid.core.transaction.KeyHeldByGroupException;
import io.braid.core.transaction.TransactionExpiredException;

/** What a transaction tells its caller when a row may not be written. */
record Refusals(Surroundings around, CommitPlan plan) {

  /** Learns a new epoch by the way. */
  RuntimeException of(Refusal refusal) {
    if (refusal instanceof Refusal.Held held) {
      return new KeyHeldByGroupException(held.row(), held.group(), held.leader());
    }
    if (refusal instanceof Refusal.NotHeld not) {
      return new HoldLostException(not.row(), not.group());
    }
    if (refusal instanceof Refusal.BelowWatermark below) {
      return TransactionExpiredException.belowWatermark(plan.start(), below.watermark());
    }
    Refusal.StaleEpoch stale = (Refusal.StaleEpoch) refusal;
    around.tables().refresh(stale.table());
    return new ConflictException(plan.conflicts(stale.table(), Cause.NEW_EPOCH, stale.current()));
  }
}
