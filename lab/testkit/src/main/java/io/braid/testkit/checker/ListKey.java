package io.braid.testkit.checker;

import io.braid.testkit.history.HistoryFormatException;
import io.braid.testkit.history.Longs;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A key and its versions. Values are only ever appended, each once, so every read of the list is a
 * prefix of the last version, and the longest read tells the order of all versions that were seen.
 */
final class ListKey {
  /** Counts the keys from 0. */
  final int number;

  final String name;
  private Longs longest = Longs.EMPTY;
  private @Nullable SeenTransaction longestReader;
  private final Map<Long, Element> elements = new HashMap<>();

  private ListKey(int number, String name) {
    this.number = number;
    this.name = name;
  }

  /** The key of that name, added when it is new. */
  static ListKey in(Map<String, ListKey> keys, String name) {
    ListKey key = keys.get(name);
    if (key == null) {
      key = new ListKey(keys.size(), name);
      keys.put(name, key);
    }
    return key;
  }

  /**
   * @throws HistoryFormatException when the value was appended before
   */
  void add(Element element) {
    Element before = elements.putIfAbsent(element.value, element);
    if (before != null) {
      throw new HistoryFormatException(
          "Every value may be appended once, but "
              + element.value
              + " is appended to key "
              + name
              + " in line "
              + before.writer.line
              + " and again in line "
              + element.writer.line
              + ".");
    }
  }

  /** The longest read. */
  Longs longest() {
    return longest;
  }

  /** Returns the transaction that read {@link #longest}; there must have been a read. */
  SeenTransaction longestReader() {
    return Objects.requireNonNull(longestReader);
  }

  /**
   * Returns the element at a position of the longest read; null when no transaction appended it.
   */
  @Nullable Element at(int position) {
    return elements.get(longest.at(position));
  }

  /** Takes a read into account; false when it does not fit to what others read. */
  boolean offer(Longs values, SeenTransaction reader) {
    int common = values.commonPrefix(longest);
    if (common == longest.size() && values.size() > common) {
      longest = values;
      longestReader = reader;
      return true;
    }
    return common == values.size();
  }

  /** Tells the elements where the longest read shows them first. */
  void placeElements() {
    for (int i = longest.size() - 1; i >= 0; i--) {
      Element element = at(i);
      if (element != null) {
        element.position = i;
      }
    }
  }
}
