package io.braid.simulation.probe;

import io.braid.core.cells.CommitRecord.Kind;
import io.braid.simulation.probe.WatchedTransaction.Place;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The commit records that exist. They show whether a collection removed a record that a snapshot at
 * the low watermark, or above it, would have read (Faults 26 and 27).
 */
final class LiveRecords {
  private final Map<Place, TreeMap<Long, Kind>> columns = new HashMap<>();

  void put(Place place, long version, Kind kind) {
    columns.computeIfAbsent(place, p -> new TreeMap<>()).put(version, kind);
  }

  void remove(Place place, long version) {
    TreeMap<Long, Kind> column = columns.get(place);
    if (column != null) {
      column.remove(version);
    }
  }

  /** Whether a column has no records at all. */
  boolean isGone(Place place) {
    TreeMap<Long, Kind> column = columns.get(place);
    return column == null || column.isEmpty();
  }

  void clear() {
    columns.clear();
  }

  /** The version of the value that a snapshot sees; 0 when it sees none. */
  long visible(Place place, long snapshot) {
    TreeMap<Long, Kind> column = columns.get(place);
    if (column != null) {
      for (Map.Entry<Long, Kind> record :
          column.headMap(snapshot, true).descendingMap().entrySet()) {
        if (record.getValue() != Kind.LOCK) {
          return record.getValue() == Kind.DELETE ? 0 : record.getKey();
        }
      }
    }
    return 0;
  }
}
