package io.braid.serving.writable;

import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * How often each node was the first to take a write of a tuple (section 3.1.3): {@code 1:10,2:3}.
 * Immutable.
 *
 * <p>Counts alone do not show that two tries are of one write: a first node took it, its answer was
 * lost, and a second one was asked. So a clock also names {@link WriteAttempt tries}. A try beyond
 * the count of its node is <em>open</em>: it is unknown whether the node took it. An open try is
 * named until the node's count has come so far. Of all other tries, the last few of each node are
 * named, for a try at another node that is still under way.
 *
 * @param tries in their order
 */
@API(status = API.Status.EXPERIMENTAL)
public record VectorClock(Map<Integer, Long> counts, List<WriteAttempt> tries) {
  public static final VectorClock NONE = new VectorClock(Map.of());

  /** A node with this many open tries is not asked to be the first to take a write. */
  static final int MOST_OPEN = 8;

  /** The number of named tries of a node that are not open. */
  private static final int MOST_SETTLED = 4;

  /** Writers that do not know of each other may each add one more. */
  private static final int MOST_NAMED = 4 * MOST_OPEN;

  private static final int MOST_NODES = 10_000;

  /** Bits of the counts of one life of a store. */
  private static final int LIFE = 32;

  /**
   * The most writes of one tuple in a life of a store, more than ever happen; leaves room to count
   * on.
   */
  private static final long MOST_IN_LIFE = 1L << 31;

  private static final Pattern COUNT = Pattern.compile("\\d{1,9}:\\d{1,18}");
  private static final Pattern TRY = Pattern.compile(COUNT.pattern() + ":[0-9a-f]{1,16}");

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
    tries = named(counts, tries);
  }

  public VectorClock(Map<Integer, Long> counts) {
    this(counts, List.of());
  }

  /** Returns the tries to name, in their order. */
  private static List<WriteAttempt> named(Map<Integer, Long> counts, List<WriteAttempt> tries) {
    if (tries.isEmpty()) {
      return List.of();
    }
    Map<Integer, Integer> open = new TreeMap<>();
    Map<Integer, Integer> settled = new TreeMap<>();
    List<WriteAttempt> named = new ArrayList<>();
    for (WriteAttempt each : new TreeSet<>(tries).descendingSet()) {
      boolean isOpen = each.count() > counts.getOrDefault(each.node(), 0L);
      int nth = (isOpen ? open : settled).merge(each.node(), 1, Integer::sum);
      if (nth <= (isOpen ? MOST_NAMED : MOST_SETTLED)) {
        named.add(each);
      }
    }
    Collections.reverse(named);
    return List.copyOf(named);
  }

  /** This clock after one write more that {@code node} took first. */
  public VectorClock incremented(int node) {
    return incremented(node, 0);
  }

  /**
   * Returns this clock after one write more that {@code node} took first, in a life of the store.
   *
   * @param life of the store: each life counts from its own number, which is above all before.
   *     Counts of an earlier life are dropped
   */
  VectorClock incremented(int node, long life) {
    VectorClock known = life() < life ? NONE : this;
    Map<Integer, Long> more = new TreeMap<>(known.counts);
    more.put(node, Math.max(known.at(node), life << LIFE) + 1);
    return new VectorClock(more, known.tries);
  }

  /** The life of the store in which this was counted; 0 where nothing was. */
  long life() {
    long highest = 0;
    for (long count : counts.values()) {
      highest = Math.max(highest, count);
    }
    for (WriteAttempt each : tries) {
      highest = Math.max(highest, each.count());
    }
    return highest >>> LIFE;
  }

  /** The number of the first import of a life of a store; the next ones follow. */
  public static long firstImport(long life) {
    return (life << LIFE) + 1;
  }

  /** This clock, naming one try more. */
  VectorClock tried(WriteAttempt more) {
    return merged(new VectorClock(Map.of(), List.of(more)));
  }

  /**
   * Returns whether a write is named: a holder of this clock has seen the write, by any of its
   * tries.
   */
  boolean names(long write) {
    return tries.stream().anyMatch(each -> each.write() == write);
  }

  /** Returns whether a node has so many open tries that it should not get another one. */
  boolean isFull(int node) {
    return tries.stream().filter(t -> t.node() == node && t.count() > at(node)).count()
        >= MOST_OPEN;
  }

  /** The lowest clock that is at or after both; of two lives of a store the later one's. */
  public VectorClock merged(VectorClock other) {
    int lives = Long.compare(life(), other.life());
    if (lives != 0) {
      return lives < 0 ? other : this;
    }
    Map<Integer, Long> all = new TreeMap<>(counts);
    other.counts.forEach((node, count) -> all.merge(node, count, Long::max));
    List<WriteAttempt> named = new ArrayList<>(tries);
    named.addAll(other.tries);
    return new VectorClock(all, named);
  }

  /** Compares the counts; a later life of the store is after all of an earlier one. */
  public Order compare(VectorClock other) {
    int lives = Long.compare(life(), other.life());
    if (lives != 0) {
      return lives < 0 ? Order.BEFORE : Order.AFTER;
    }
    boolean before = counts.entrySet().stream().allMatch(e -> e.getValue() <= other.at(e.getKey()));
    boolean after = other.counts.entrySet().stream().allMatch(e -> e.getValue() <= at(e.getKey()));
    if (before) {
      return after ? Order.SAME : Order.BEFORE;
    }
    return after ? Order.AFTER : Order.CONCURRENT;
  }

  /**
   * Returns whether the writer of this clock had seen the write of {@code other}. A replica may
   * hold two tries of one write as one. Then it counts tries at a node that other replicas, which
   * met one of them, only name. So everything that {@code other} counts must be counted here, or
   * named as the same write.
   */
  boolean follows(VectorClock other) {
    Order order = compare(other);
    return order == Order.AFTER
        || (order == Order.CONCURRENT && covers(other) && !other.covers(this));
  }

  private boolean covers(VectorClock other) {
    return other.counts.entrySet().stream().allMatch(e -> covers(other, e.getKey(), e.getValue()));
  }

  private boolean covers(VectorClock other, int node, long last) {
    long first = Math.max(at(node), life() << LIFE) + 1;
    List<WriteAttempt> theirs =
        other.tries.stream().filter(t -> t.node() == node && t.count() <= last).toList();
    List<WriteAttempt> needed = theirs.stream().filter(t -> t.count() >= first).toList();
    // Of many the lowest are not named.
    boolean allNamed = theirs.size() < MOST_SETTLED || needed.size() < theirs.size();
    return last < first
        || (allNamed
            && needed.stream().mapToLong(WriteAttempt::count).distinct().count() == last - first + 1
            && tries.containsAll(needed));
  }

  /** Whether what has this clock knows all that {@code other} knew. */
  public boolean includes(VectorClock other) {
    Order order = compare(other);
    return order == Order.AFTER || order == Order.SAME;
  }

  /**
   * Refuses a clock that no client can have read: one that was made up, one of another store, or
   * one of a store that was dropped since.
   *
   * @param life of the store
   * @throws IllegalArgumentException when a client cannot have got this clock from the store
   */
  void requireReadable(long life) {
    boolean counted =
        counts.entrySet().stream()
            .allMatch(each -> each.getKey() <= IMPORTS && isCount(each.getValue(), life));
    boolean named =
        tries.stream()
            .allMatch(
                each -> each.node() < IMPORTS && isCount(each.count(), life) && each.write() != 0);
    if (!counted || !named) {
      throw new IllegalArgumentException(
          "'"
              + countsText()
              + "' is no clock of a tuple of this store as it is now. Give back the one that was read.");
    }
  }

  private static boolean isCount(long count, long life) {
    long inLife = count - (life << LIFE);
    return inLife >= 1 && inLife <= MOST_IN_LIFE;
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

  void encodeCounts(Encoder encoder) {
    encoder.varint(counts.size());
    new TreeMap<>(counts).forEach((node, count) -> encoder.varint(node).varint(count));
  }

  static VectorClock decodeCounts(Decoder decoder) {
    int size = decoder.count(MOST_NODES + 1);
    Map<Integer, Long> counts = new TreeMap<>();
    for (int i = 0; i < size; i++) {
      counts.put(decoder.count(Integer.MAX_VALUE), decoder.varint());
    }
    return new VectorClock(counts);
  }

  void encodeTries(Encoder encoder) {
    encoder.varint(tries.size());
    tries.forEach(each -> each.encode(encoder));
  }

  VectorClock decodeTries(Decoder decoder) {
    int size = decoder.count(MOST_NODES * MOST_NAMED);
    List<WriteAttempt> named = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      named.add(WriteAttempt.decode(decoder));
    }
    return new VectorClock(counts, named);
  }

  /**
   * Reads what {@link #toString} wrote.
   *
   * @throws IllegalArgumentException when it is something else
   */
  public static VectorClock parse(String text) {
    int tilde = text.indexOf('~');
    Map<Integer, Long> counts = new TreeMap<>();
    for (String part : parts(COUNT, tilde < 0 ? text : text.substring(0, tilde))) {
      int colon = part.indexOf(':');
      counts.put(
          Integer.valueOf(part.substring(0, colon)), Long.valueOf(part.substring(colon + 1)));
    }
    List<WriteAttempt> tries = new ArrayList<>();
    for (String part : parts(TRY, tilde < 0 ? "" : text.substring(tilde + 1))) {
      tries.add(WriteAttempt.parse(part));
    }
    return new VectorClock(counts, tries);
  }

  private static List<String> parts(Pattern form, String text) {
    if (text.isBlank()) {
      return List.of();
    }
    List<String> parts = List.of(text.split(",", -1));
    if (!parts.stream().allMatch(part -> form.matcher(part).matches())) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is no clock. Give back the one that was read, or write NODE:COUNT,NODE:COUNT.");
    }
    return parts;
  }

  /** The counts alone. */
  String countsText() {
    StringBuilder text = new StringBuilder();
    new TreeMap<>(counts)
        .forEach(
            (node, count) ->
                text.append(text.isEmpty() ? "" : ",").append(node).append(':').append(count));
    return text.toString();
  }

  /** {@code 1:10,2:3}, and behind a tilde the tries, if there are any. */
  @Override
  public String toString() {
    return tries.isEmpty()
        ? countsText()
        : countsText()
            + '~'
            + tries.stream().map(WriteAttempt::toString).collect(Collectors.joining(","));
  }
}
