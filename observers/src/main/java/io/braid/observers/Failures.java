package io.braid.observers;

import io.braid.core.data.Row;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Observers that threw, and when they may be tried again. Kept in memory: what is forgotten is
 * tried anew.
 *
 * <p>An observer that threw too often on a row is given up there until a change comes that is newer
 * than those it threw at; the notification stays in the store.
 */
final class Failures {
  static final long NEVER = Long.MAX_VALUE;

  private static final int CAPACITY = 10_000;
  private static final int LONGEST_ERROR = 500;

  private final int maxAttempts;

  // Guarded by this. In the order of their first failure.
  private final Map<Key, Failure> failures = new LinkedHashMap<>();
  private final Map<Row, Long> givenUp = new LinkedHashMap<>();

  Failures(int maxAttempts) {
    this.maxAttempts = maxAttempts;
  }

  private record Key(Row row, String observer) {}

  private static final class Failure {
    private final long sinceMillis;
    private int attempts;
    private long newest;
    private long notBefore;
    private String error = "";

    Failure(long sinceMillis) {
      this.sinceMillis = sinceMillis;
    }
  }

  /**
   * In how many nanoseconds the observer may run; 0 for now, {@link #NEVER} when it was given up.
   *
   * @param newest the newest notification for it
   */
  synchronized long nanosUntilAllowed(Row row, String observer, long newest, long nanoTime) {
    Failure failure = failures.get(new Key(row, observer));
    if (failure == null) {
      return 0;
    }
    if (failure.attempts < maxAttempts) {
      return Math.max(0, failure.notBefore - nanoTime);
    }
    if (newest <= failure.newest) {
      return NEVER;
    }
    failure.attempts = 0;
    return 0;
  }

  /** How often the observer has thrown on the row, this time included. */
  synchronized int failed(Row row, String observer, long newest, Throwable error, long wallMillis) {
    Failure failure =
        failures.computeIfAbsent(new Key(row, observer), key -> new Failure(wallMillis));
    failure.attempts++;
    failure.newest = newest;
    String text = error.toString();
    failure.error = text.substring(0, Math.min(text.length(), LONGEST_ERROR));
    removeEldest(failures);
    return failure.attempts;
  }

  synchronized void tryAgainAt(Row row, String observer, long nanoTime) {
    Failure failure = failures.get(new Key(row, observer));
    if (failure != null) {
      failure.notBefore = nanoTime;
    }
  }

  synchronized void succeeded(Row row, String observer) {
    if (!failures.isEmpty()) {
      failures.remove(new Key(row, observer));
    }
  }

  /** Nothing of the row can be done until a notification comes that is newer than these. */
  synchronized void giveUp(Row row, long newest) {
    givenUp.put(row, newest);
    removeEldest(givenUp);
  }

  synchronized void notGivenUp(Row row) {
    if (!givenUp.isEmpty()) {
      givenUp.remove(row);
    }
  }

  synchronized boolean isGivenUp(Row row) {
    return givenUp.containsKey(row);
  }

  synchronized boolean isGivenUp(Row row, long newest) {
    Long upTo = givenUp.get(row);
    return upTo != null && newest <= upTo;
  }

  synchronized List<ObserverStats.Failing> failing() {
    return failures.entrySet().stream()
        .filter(each -> each.getValue().attempts >= maxAttempts)
        .map(each -> failing(each.getKey(), each.getValue()))
        .toList();
  }

  private static ObserverStats.Failing failing(Key key, Failure failure) {
    return new ObserverStats.Failing(
        key.observer, key.row, failure.attempts, failure.error, failure.sinceMillis);
  }

  private static <K, V> void removeEldest(Map<K, V> map) {
    if (map.size() > CAPACITY) {
      Iterator<K> eldest = map.keySet().iterator();
      eldest.next();
      eldest.remove();
    }
  }
}
