package io.braid.percolator;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Remembers the decisions met last, by start timestamp. */
final class DecisionCache {
  private static final int CAPACITY = 4096;

  private final Map<Long, Decision> decisions =
      new LinkedHashMap<>(64, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Decision> eldest) {
          return size() > CAPACITY;
        }
      };

  synchronized @Nullable Decision get(long start) {
    return decisions.get(start);
  }

  synchronized void put(long start, Decision decision) {
    decisions.put(start, decision);
  }
}
