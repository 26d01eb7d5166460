package io.braid.observers;

import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sends {@link ClearNotifications}, with the epochs of tables as far as they are known here. A
 * removal that is lost only costs another visit, so nothing waits for a sync.
 */
final class Clearing {
  private final CellStore store;
  private final Map<String, Long> epochs = new ConcurrentHashMap<>();

  Clearing(CellStore store) {
    this.store = store;
  }

  /** Whether the notifications are gone; otherwise the row is to be visited again. */
  boolean clear(Row row, ColumnName column, boolean weak, long start, List<Long> versions) {
    for (int attempt = 0; attempt < 2; attempt++) {
      ClearNotifications.Request request =
          new ClearNotifications.Request(row, epochOf(row.table()), column, weak, start, versions);
      Outcome<ClearNotifications.Answer> outcome =
          store.execute(ClearNotifications.INSTANCE, request, Durability.BUFFERED);
      if (!(outcome instanceof Outcome.Done<ClearNotifications.Answer> done)) {
        return false;
      }
      ClearNotifications.Answer answer = done.result();
      if (answer.kind() != ClearNotifications.Kind.STALE_EPOCH) {
        return answer.kind() == ClearNotifications.Kind.REMOVED;
      }
      epochs.put(row.table(), answer.epoch());
    }
    return false;
  }

  private long epochOf(String table) {
    Long known = epochs.get(table);
    if (known == null) {
      known = store.epoch(table);
      epochs.put(table, known);
    }
    return known;
  }
}
