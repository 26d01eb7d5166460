package io.braid.omid;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A bounded memory of the latest transactions, by start timestamp. */
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

  synchronized V getOrPut(long start, V value) {
    V before = byStart.putIfAbsent(start, value);
    return before == null ? value : before;
  }

  synchronized void put(long start, V value) {
    byStart.put(start, value);
  }
}
