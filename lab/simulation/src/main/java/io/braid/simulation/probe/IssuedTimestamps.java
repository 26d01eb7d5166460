package io.braid.simulation.probe;

import java.util.Map;
import java.util.TreeMap;

/** When the oracle gave out which timestamps, by the order of events. Remembers the newest. */
final class IssuedTimestamps {
  private static final int REMEMBERED = 50_000;

  private final TreeMap<Long, Issue> byFirst = new TreeMap<>();

  private record Issue(long last, long event) {}

  void add(long first, long last, long event) {
    byFirst.put(first, new Issue(last, event));
    if (byFirst.size() > REMEMBERED) {
      byFirst.pollFirstEntry();
    }
  }

  /** The event at which a timestamp was given out; -1 when that is not known. */
  long eventOf(long timestamp) {
    Map.Entry<Long, Issue> entry = byFirst.floorEntry(timestamp);
    return entry == null || timestamp > entry.getValue().last ? -1 : entry.getValue().event;
  }
}
