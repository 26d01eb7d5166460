package io.braid.store.hbase.region;

import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The places where a region has cells of a sparse family. There are very few such places. Knowing
 * them without a look saves the look with which every procedure begins.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>While the places are <em>known</em>, they include every cell of the family that any reader
 *       can see. A cell is added before it is written, and removed after its removal was written. A
 *       cell listed here need not exist.
 *   <li>Places that are not known stay unknown until the region opens again.
 * </ul>
 */
final class SparsePlaces {
  /** All such cells that a server remembers; beyond it regions give up, one after another. */
  static final long MOST = 500_000;

  private enum State {
    /** Cells are added; no caller may ask yet. */
    LEARNING,
    KNOWN,
    GIVEN_UP
  }

  private record Place(ColumnName column, long version) {}

  private final AtomicLong total;
  private final long most;
  private final Map<Bytes, Set<Place>> rows = new ConcurrentHashMap<>();
  private final NavigableSet<Bytes> order = new ConcurrentSkipListSet<>();
  private final AtomicLong own = new AtomicLong();
  private volatile State state = State.LEARNING;

  /**
   * @param total how many are remembered by all that share a bound
   */
  SparsePlaces(AtomicLong total, long most) {
    this.total = total;
    this.most = most;
  }

  /** Declares the places known: the existing cells have been added, and every new cell will be. */
  void know() {
    if (state == State.LEARNING) {
      state = State.KNOWN;
    }
  }

  /** False when the row surely has no cell of the family. */
  boolean mayHave(Bytes row) {
    return state != State.KNOWN || rows.containsKey(row);
  }

  /**
   * The first row at or behind this one that may have a cell of the family: the same row when that
   * is not known, null when there is none.
   */
  @Nullable Bytes next(Bytes from) {
    Bytes next = order.ceiling(from);
    return state == State.KNOWN ? next : from;
  }

  /** A cell is there, or about to be written. */
  void add(Bytes row, ColumnName column, long version) {
    if (state == State.GIVEN_UP) {
      return;
    }
    rows.compute(
        row,
        (key, before) -> {
          Set<Place> places = before == null ? first(key) : before;
          count(places.add(new Place(column, version)) ? 1 : 0);
          return places;
        });
    if (total.get() > most || state == State.GIVEN_UP) {
      forget();
    }
  }

  /** A cell was removed. */
  void remove(Bytes row, ColumnName column, long version) {
    rows.computeIfPresent(
        row,
        (key, places) -> {
          count(places.remove(new Place(column, version)) ? -1 : 0);
          return places.isEmpty() ? last(key) : places;
        });
  }

  private Set<Place> first(Bytes row) {
    order.add(row);
    return new HashSet<>(2);
  }

  private @Nullable Set<Place> last(Bytes row) {
    order.remove(row);
    return null;
  }

  private void count(int more) {
    own.addAndGet(more);
    total.addAndGet(more);
  }

  /** Gives up: from now on callers have to look. */
  void forget() {
    state = State.GIVEN_UP;
    for (Bytes row : rows.keySet()) {
      rows.computeIfPresent(
          row,
          (key, places) -> {
            count(-places.size());
            return last(key);
          });
    }
  }
}
