package io.braid.observers.schedule;

import io.braid.core.data.Row;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The observers that threw, and when each may be tried again. An entry stays in memory until the
 * observer succeeds or its change is a dead letter. An observer whose entry is lost is tried again.
 */
public final class Failures {
  private static final int CAPACITY = 10_000;

  // Guarded by this. In the order of their first failure.
  private final Map<Key, Failure> failures = new LinkedHashMap<>();

  private record Key(Row row, String observer) {}

  /**
   * How an observer failed on a row.
   *
   * @param attempts how often it threw
   * @param firstMillis when it threw first, milliseconds since 1970
   * @param notBefore when it may run again, on the monotonic clock
   */
  public record Failure(int attempts, long firstMillis, long notBefore) {}

  /** In how many nanoseconds the observer may run; 0 for now. */
  public synchronized long nanosUntilAllowed(Row row, String observer, long nanoTime) {
    Failure failure = failures.isEmpty() ? null : failures.get(new Key(row, observer));
    return failure == null ? 0 : Math.max(0, failure.notBefore - nanoTime);
  }

  /** The observer has thrown on the row; all that is known of it, this time included. */
  public synchronized Failure failed(Row row, String observer, long wallMillis) {
    Failure failure =
        failures.compute(
            new Key(row, observer),
            (key, before) ->
                before == null
                    ? new Failure(1, wallMillis, Long.MIN_VALUE)
                    : new Failure(before.attempts + 1, before.firstMillis, Long.MIN_VALUE));
    if (failures.size() > CAPACITY) {
      Iterator<Key> eldest = failures.keySet().iterator();
      eldest.next();
      eldest.remove();
    }
    return failure;
  }

  public synchronized void tryAgainAt(Row row, String observer, long nanoTime) {
    failures.computeIfPresent(
        new Key(row, observer),
        (key, failure) -> new Failure(failure.attempts, failure.firstMillis, nanoTime));
  }

  /** The observer has succeeded, or its change is a dead letter. */
  public synchronized void forget(Row row, String observer) {
    if (!failures.isEmpty()) {
      failures.remove(new Key(row, observer));
    }
  }

  /** How many observers are being tried again, each row counted by itself. */
  public synchronized int size() {
    return failures.size();
  }
}
