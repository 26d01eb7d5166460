package io.braid.percolator;

import io.braid.core.cells.DecisionPoint.PrimaryCell;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Remembers something about the transactions met last. Bounded.
 *
 * @param <K> the start timestamp, or a {@link Name} where a name from outside may come in
 */
final class Recent<K, V> {
  /** Start and primary: what is known of one is not believed of another with the same start. */
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

  /** Replaces what is remembered, null if nothing is, by what the function makes of it. */
  synchronized V update(K key, Change<V> change) {
    V next = change.apply(remembered.get(key));
    remembered.put(key, next);
    return next;
  }

  /** Makes something new of what was remembered. */
  interface Change<V> {
    V apply(@Nullable V before);
  }
}
