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
 * Where a region has cells of a sparse family: nearly nowhere, and to know that without looking
 * spares the look that every procedure begins with.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>While this is <em>known</em>, every cell of the family that anybody can read stands here: a
 *       cell comes in before it is written, and goes out after its removal was. What stands here
 *       need not be there.
 *   <li>What is not known is never known again before the region opens anew.
 * </ul>
 */
final class SparsePlaces {
  /** All such cells that a server remembers; beyond it regions give up, one after another. */
  static final long MOST = 500_000;

  private enum State {
    /** Cells are added; nobody may ask yet. */
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

  /** From now on every cell is told: those that there were have been added. */
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

  /** Gives up: whoever asks has to look. */
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
