package io.braid.simulation.probe;

import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import java.util.Map;
import java.util.TreeMap;

/** What the cells in the store tell of one transaction. */
final class WatchedTransaction {
  /** A column of a row. */
  record Place(Row row, ColumnName column) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      int byRow = row.compareTo(other.row);
      return byRow != 0 ? byRow : column.compareTo(other.column);
    }

    @Override
    public String toString() {
      return row + "/" + column;
    }
  }

  /** How far the transaction has come at a place. */
  enum State {
    INTENT,
    REMOVED,
    COMMITTED
  }

  final long start;
  final Map<Place, State> places = new TreeMap<>();

  /** When its last intent was placed anew, by the order of events. */
  long lastIntent = -1;

  /** 0 as long as no commit record stands. */
  long commit;

  boolean marked;

  /** Whether its primary says that it is still writing; whether it has ceased to say so. */
  boolean open;

  boolean complete;

  WatchedTransaction(long start) {
    this.start = start;
  }

  @Override
  public String toString() {
    return "transaction " + start + (commit == 0 ? "" : " committed at " + commit) + " " + places;
  }
}
