package io.braid.percolator;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Remembers something about the transactions met last, by start timestamp. Bounded. */
final class Recent<V> {
  private static final int CAPACITY = 4096;

  private final Map<Long, V> byStart =
      new LinkedHashMap<>(64, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, V> eldest) {
          return size() > CAPACITY;
        }
      };

  synchronized @Nullable V get(long start) {
    return byStart.get(start);
  }

  synchronized void put(long start, V value) {
    byStart.put(start, value);
  }

  /** Replaces what is remembered, null if nothing is, by what the function makes of it. */
  synchronized V update(long start, Change<V> change) {
    V next = change.apply(byStart.get(start));
    byStart.put(start, next);
    return next;
  }

  /** Makes something new of what was remembered. */
  interface Change<V> {
    V apply(@Nullable V before);
  }
}
