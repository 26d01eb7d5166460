package io.braid.http;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A queue in which the owners of items take turns: who adds one item waits for one item of each
 * other owner at most, however many they have added. Items of one owner keep their order.
 */
final class FairQueue<T> {
  private final Map<Object, Deque<T>> waiting = new LinkedHashMap<>();
  private int size;

  void add(Object owner, T item) {
    waiting.computeIfAbsent(owner, key -> new ArrayDeque<>()).addLast(item);
    size++;
  }

  /** Takes the next item; null if there is none. */
  @Nullable T poll() {
    if (size == 0) {
      return null;
    }
    Map.Entry<Object, Deque<T>> next = waiting.entrySet().iterator().next();
    Deque<T> items = next.getValue();
    waiting.remove(next.getKey());
    T item = items.removeFirst();
    size--;
    if (!items.isEmpty()) {
      waiting.put(next.getKey(), items);
    }
    return item;
  }

  /** Returns the owner with most items, if it has at least two more than another one. */
  @Nullable Object largest(Object other) {
    int own = size(other);
    return waiting.entrySet().stream()
        .filter(each -> each.getValue().size() > own + 1)
        .max(Comparator.comparingInt(each -> each.getValue().size()))
        .map(Map.Entry::getKey)
        .orElse(null);
  }

  private int size(Object owner) {
    Deque<T> items = waiting.get(owner);
    return items == null ? 0 : items.size();
  }

  /** Returns the newest item of an owner; null if it has none. */
  @Nullable T newest(Object owner) {
    Deque<T> items = waiting.get(owner);
    return items == null ? null : items.getLast();
  }

  /** Removes an item, if it waits. */
  boolean remove(Object owner, T item) {
    Deque<T> items = waiting.get(owner);
    if (items == null || !items.remove(item)) {
      return false;
    }
    size--;
    if (items.isEmpty()) {
      waiting.remove(owner);
    }
    return true;
  }

  boolean isEmpty() {
    return size == 0;
  }

  int size() {
    return size;
  }
}
