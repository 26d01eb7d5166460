package io.braid.percolator;

import io.braid.core.cells.DecisionPoint.PrimaryCell;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A bounded memory of the latest transactions.
 *
 * @param <K> the start timestamp, or a {@link Name} where a name from outside may come in
 */
final class Recent<K, V> {
  /** Start and primary: facts about one name do not apply to another name with the same start. */
  record Name(long start, PrimaryCell primary) {}

  private static final int CAPACITY = 4096;

  private final Map<K, V> remembered =
      new LinkedHashMap<>(64, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
          return size() > CAPACITY;
        }
      };

  synchronized @Nullable V get(K key) {
    return remembered.get(key);
  }

  synchronized void put(K key, V value) {
    remembered.put(key, value);
  }

  /** Replaces the remembered value, null if there is none, by the result of the function. */
  synchronized V update(K key, Change<V> change) {
    V next = change.apply(remembered.get(key));
    remembered.put(key, next);
    return next;
  }

  /** Makes a new value from the remembered one. */
  interface Change<V> {
    V apply(@Nullable V before);
  }
}
