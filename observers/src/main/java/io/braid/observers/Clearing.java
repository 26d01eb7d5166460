package io.braid.observers;

import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import java.util.List;

/**
 * Sends {@link ClearNotifications}. A removal that is lost only costs another visit, so nothing
 * waits for a sync.
 */
final class Clearing {
  private final CellStore store;
  private final Epochs epochs;

  Clearing(CellStore store, Epochs epochs) {
    this.store = store;
    this.epochs = epochs;
  }

  /** Whether the notifications are gone; otherwise the row is to be visited again. */
  boolean clear(Row row, ColumnName column, boolean weak, long start, List<Long> versions) {
    for (int attempt = 0; attempt < 2; attempt++) {
      ClearNotifications.Request request =
          new ClearNotifications.Request(
              row, epochs.of(row.table()), column, weak, start, versions);
      Outcome<ClearNotifications.Answer> outcome =
          store.execute(ClearNotifications.INSTANCE, request, Durability.BUFFERED);
      if (!(outcome instanceof Outcome.Done<ClearNotifications.Answer> done)) {
        return false;
      }
      ClearNotifications.Answer answer = done.result();
      if (answer.kind() != ClearNotifications.Kind.STALE_EPOCH) {
        return answer.kind() == ClearNotifications.Kind.REMOVED;
      }
      epochs.learn(row.table(), answer.epoch());
    }
    return false;
  }
}
