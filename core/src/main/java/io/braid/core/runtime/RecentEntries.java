package io.braid.core.runtime;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A bounded memory: when it is full, it forgets the entry that was used longest ago.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class RecentEntries<K, V> {
  private final Map<K, V> remembered;

  /** Makes a new value from the remembered one. */
  public interface Change<V> {
    V apply(@Nullable V before);
  }

  /**
   * @param capacity the number of entries that it remembers
   */
  public RecentEntries(int capacity) {
    this.remembered =
        new LinkedHashMap<>(64, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > capacity;
          }
        };
  }

  public synchronized @Nullable V get(K key) {
    return remembered.get(key);
  }

  public synchronized void put(K key, V value) {
    remembered.put(key, value);
  }

  /** Returns the remembered value; remembers a new one first if there is none. */
  public synchronized V getOrMake(K key, Function<? super K, ? extends V> value) {
    return remembered.computeIfAbsent(key, value);
  }

  /** Replaces the remembered value, null if there is none, by the result of the function. */
  public synchronized V update(K key, Change<V> change) {
    V next = change.apply(remembered.get(key));
    remembered.put(key, next);
    return next;
  }

  public synchronized int size() {
    return remembered.size();
  }
}
