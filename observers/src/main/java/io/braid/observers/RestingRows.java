package io.braid.observers;

import io.braid.core.data.Row;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Rows whose notifications wait for something that this process cannot do, so that scanners need
 * not visit them again and again: until a newer notification comes, or observers are registered,
 * paused or resumed. Kept in memory: a forgotten row is visited once more.
 */
final class RestingRows {
  private static final int CAPACITY = 10_000;

  // Guarded by this.
  private final Map<Row, RestingRow> rows = new LinkedHashMap<>();

  private record RestingRow(long newest, boolean elsewhere, ObservedColumns observed) {}

  /**
   * @param newest the newest notification of the row
   * @param elsewhere whether another process can do something; otherwise observers are paused
   * @param observed the observers there were
   */
  synchronized void rest(Row row, long newest, boolean elsewhere, ObservedColumns observed) {
    rows.put(row, new RestingRow(newest, elsewhere, observed));
    if (rows.size() > CAPACITY) {
      Iterator<Row> eldest = rows.keySet().iterator();
      eldest.next();
      eldest.remove();
    }
  }

  synchronized void wake(Row row) {
    if (!rows.isEmpty()) {
      rows.remove(row);
    }
  }

  /** Whether all that is left in the row waits for observers that are paused. */
  synchronized boolean isPaused(Row row, long newest, ObservedColumns observed) {
    RestingRow rest = rows.get(row);
    return rest != null && !rest.elsewhere && isResting(row, newest, observed);
  }

  synchronized boolean isResting(Row row, long newest, ObservedColumns observed) {
    RestingRow rest = rows.get(row);
    return rest != null && rest.observed == observed && newest <= rest.newest;
  }
}
