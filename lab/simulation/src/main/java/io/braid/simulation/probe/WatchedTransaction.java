package io.braid.simulation.probe;

import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.simulation.schedule.SimulationFailure;
import java.util.Map;
import java.util.TreeMap;

/** The state of one transaction, as the cells in the store show it. */
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

  /**
   * When its last new intent was placed, or its primary ceased to be open, by the order of events.
   */
  long lastIntent = -1;

  /** The commit timestamp; 0 as long as there is no commit record. */
  long commit;

  boolean marked;

  /** Whether its primary says that it is still writing; whether it has ceased to say so. */
  private boolean open;

  private boolean complete;

  WatchedTransaction(long start) {
    this.start = start;
  }

  boolean hasIntents() {
    return places.containsValue(State.INTENT);
  }

  /**
   * Notes what its primary says. While it says that the transaction is open, readers go past it.
   *
   * @return whether it has just ceased to be open
   */
  boolean completes(boolean nowOpen) {
    if (nowOpen && complete) {
      throw broken("The primary was opened again");
    }
    boolean completes = open && !nowOpen;
    complete |= completes;
    open = nowOpen;
    return completes;
  }

  /** Checks that a committed transaction has no trace of a rollback. */
  void checkDecided() {
    if (commit == 0) {
      return;
    }
    if (marked) {
      throw broken("Fault 10: both committed and rolled back");
    }
    if (places.containsValue(State.REMOVED)) {
      throw broken("Fault 9: committed, but an intent was removed");
    }
  }

  SimulationFailure broken(String what) {
    return new SimulationFailure(what + ": " + this);
  }

  @Override
  public String toString() {
    return "transaction " + start + (commit == 0 ? "" : " committed at " + commit) + " " + places;
  }
}
