package io.braid.serving.writable;

import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import java.util.Map;
import java.util.TreeMap;

/**
 * How often each node was the first to take a write of a tuple (section 3.1.3): {@code 1:10,2:3}.
 * Immutable.
 */
public record VectorClock(Map<Integer, Long> counts) {
  public static final VectorClock NONE = new VectorClock(Map.of());
  private static final int MOST_NODES = 10_000;

  /** Stands for imports, where nodes go up to 9999. */
  private static final int IMPORTS = 10_000;

  /** How two clocks lie to each other. */
  public enum Order {
    BEFORE,
    SAME,
    AFTER,
    /** Neither knows of the other. */
    CONCURRENT
  }

  public VectorClock {
    counts = Map.copyOf(counts);
  }

  /** This clock after one write more that {@code node} took first. */
  public VectorClock incremented(int node) {
    Map<Integer, Long> more = new TreeMap<>(counts);
    more.merge(node, 1L, Long::sum);
    return new VectorClock(more);
  }

  /** The lowest clock that is at or after both. */
  public VectorClock merged(VectorClock other) {
    Map<Integer, Long> all = new TreeMap<>(counts);
    other.counts.forEach((node, count) -> all.merge(node, count, Long::max));
    return new VectorClock(all);
  }

  public Order compare(VectorClock other) {
    boolean before = counts.entrySet().stream().allMatch(e -> e.getValue() <= other.at(e.getKey()));
    boolean after = other.counts.entrySet().stream().allMatch(e -> e.getValue() <= at(e.getKey()));
    if (before) {
      return after ? Order.SAME : Order.BEFORE;
    }
    return after ? Order.AFTER : Order.CONCURRENT;
  }

  /** Whether what has this clock knows all that {@code other} knew. */
  public boolean includes(VectorClock other) {
    Order order = compare(other);
    return order == Order.AFTER || order == Order.SAME;
  }

  /** The number of the last import that this clock knows; 0: none. */
  public long imports() {
    return at(IMPORTS);
  }

  /** This clock after an import. */
  VectorClock imported(long number) {
    return merged(new VectorClock(Map.of(IMPORTS, number)));
  }

  long at(int node) {
    return counts.getOrDefault(node, 0L);
  }

  void encode(Encoder encoder) {
    encoder.varint(counts.size());
    new TreeMap<>(counts).forEach((node, count) -> encoder.varint(node).varint(count));
  }

  static VectorClock decode(Decoder decoder) {
    int size = decoder.count(MOST_NODES + 1);
    Map<Integer, Long> counts = new TreeMap<>();
    for (int i = 0; i < size; i++) {
      counts.put(decoder.count(Integer.MAX_VALUE), decoder.varint());
    }
    return new VectorClock(counts);
  }

  /**
   * Reads what {@link #toString} wrote.
   *
   * @throws IllegalArgumentException when it is something else
   */
  public static VectorClock parse(String text) {
    Map<Integer, Long> counts = new TreeMap<>();
    if (!text.isBlank()) {
      for (String part : text.split(",", -1)) {
        if (!part.matches("\\d{1,9}:\\d{1,18}")) {
          throw new IllegalArgumentException(
              "'" + text + "' is no clock: write NODE:COUNT,NODE:COUNT.");
        }
        int colon = part.indexOf(':');
        counts.put(
            Integer.valueOf(part.substring(0, colon)), Long.valueOf(part.substring(colon + 1)));
      }
    }
    return new VectorClock(counts);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    new TreeMap<>(counts)
        .forEach(
            (node, count) ->
                text.append(text.isEmpty() ? "" : ",").append(node).append(':').append(count));
    return text.toString();
  }
}
