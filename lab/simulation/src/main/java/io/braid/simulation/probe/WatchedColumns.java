package io.braid.simulation.probe;

import io.braid.core.cells.CommitRecord;
import io.braid.core.cells.Families;
import io.braid.core.store.CellStore;
import io.braid.simulation.probe.WatchedTransaction.Place;
import io.braid.simulation.schedule.SimulationFailure;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * The commit records of each column by itself, and the rules for them:
 *
 * <ul>
 *   <li>Of two transactions that committed the column, the later began after the earlier committed.
 *   <li>The records stay until a collection removes them. A collection removes nothing above the
 *       low watermark and nothing that a snapshot at the watermark would read (Faults 26, 27).
 * </ul>
 *
 * <p>Index rows have no conflicts of their own: the cells that they follow have. Index rows go when
 * their index moves or is dropped. Other checks compare the index with the table.
 */
final class WatchedColumns {
  private final CellStore store;
  private final LiveRecords records = new LiveRecords();
  private final Map<Place, TreeMap<Long, Long>> startsByCommit = new HashMap<>();

  /** The commits, by their starts, of records that were collected. */
  private final Map<Long, Long> collected = new HashMap<>();

  private long recordsCollected;

  WatchedColumns(CellStore store) {
    this.store = store;
  }

  void put(Place place, long commit, CommitRecord.Kind kind) {
    records.put(place, commit, kind);
  }

  /** A transaction committed a column: no other one may have done so while it was under way. */
  void committed(Place place, long start, long commit) {
    if (isOfIndex(place)) {
      return;
    }
    TreeMap<Long, Long> column = startsByCommit.computeIfAbsent(place, p -> new TreeMap<>());
    Map.Entry<Long, Long> before = column.lowerEntry(commit);
    if (before != null && before.getKey() > start) {
      throw overlap(place, start, commit, before);
    }
    Map.Entry<Long, Long> after = column.higherEntry(commit);
    if (after != null && after.getValue() < commit) {
      throw overlap(place, start, commit, after);
    }
    column.put(commit, start);
  }

  private static SimulationFailure overlap(
      Place place, long start, long commit, Map.Entry<Long, Long> other) {
    return new SimulationFailure(
        "Lost update: "
            + place
            + " was committed by two transactions at once: "
            + start
            + " to "
            + commit
            + ", and "
            + other.getValue()
            + " to "
            + other.getKey()
            + ".");
  }

  /** A record is gone: a collection may have taken it. */
  void collect(Place place, long commit) {
    if (commit > store.watermark() && !isOfIndex(place)) {
      throw new SimulationFailure(
          "Fault 26: the commit record on "
              + place
              + " at "
              + commit
              + " is gone, though the low watermark is "
              + store.watermark()
              + ".");
    }
    records.remove(place, commit);
    TreeMap<Long, Long> starts = startsByCommit.get(place);
    Long start = starts == null ? null : starts.get(commit);
    if (start != null) {
      collected.put(start, commit);
      recordsCollected++;
    }
  }

  /** Notes what a snapshot at the watermark sees in a column of which a record is about to go. */
  void beforeRemoval(Place place, Map<Place, Long> visible) {
    if (!isOfIndex(place)) {
      visible.put(place, records.visible(place, store.watermark()));
    }
  }

  void checkStillVisible(Place place, long before) {
    long now = records.visible(place, store.watermark());
    if (now != before && !(now == 0 && isOver(place))) {
      throw new SimulationFailure(
          "Fault 26: a snapshot at the low watermark "
              + store.watermark()
              + " saw version "
              + before
              + " of "
              + place
              + ", and sees "
              + now
              + " after the collection.");
    }
  }

  /**
   * Returns whether the last record of a place may go. An acknowledgment of a column may go once
   * the column is gone, and only then. The cells that a group has shipped go with the group.
   */
  private boolean isOver(Place place) {
    return Families.isAcknowledgment(place.column())
        ? records.isGone(new Place(place.row(), Families.observedColumn(place.column())))
        : place.column().family().equals(Families.ACK);
  }

  private static boolean isOfIndex(Place place) {
    return place.column().family().equals(Families.INDEX);
  }

  long recordsCollected() {
    return recordsCollected;
  }

  /** The start and the commit of each transaction of which a record was collected. */
  void eachCollected(BiConsumer<Long, Long> startAndCommit) {
    collected.forEach(startAndCommit);
  }

  /** Forgets all records, since the cells are looked at again. Keeps the collected ones. */
  void clear() {
    startsByCommit.clear();
    records.clear();
  }
}
