package io.braid.store.rocksdb.tables;

import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import io.braid.core.store.Tablet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a table is cut into tablets. Immutable.
 *
 * @param starts the first key of each tablet, ascending; the first is empty
 * @param ids the number of each tablet, in the same order
 * @param nextId the number that the next new tablet gets; numbers are never given out again
 */
record TabletMap(List<Bytes> starts, List<Long> ids, long nextId) {
  TabletMap {
    starts = List.copyOf(starts);
    ids = List.copyOf(ids);
    if (starts.isEmpty() || starts.size() != ids.size() || !starts.get(0).isEmpty()) {
      throw new IllegalArgumentException("Tablets that do not cover the table: " + starts + ".");
    }
  }

  /** One tablet that holds the whole table. */
  static TabletMap whole() {
    return new TabletMap(List.of(Bytes.EMPTY), List.of(1L), 2);
  }

  /** Which tablet holds the key, counted from 0. */
  int index(Bytes key) {
    int low = 0;
    int high = starts.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (starts.get(middle).compareTo(key) <= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  KeyRange range(int index) {
    @Nullable Bytes end = index + 1 < starts.size() ? starts.get(index + 1) : null;
    return new KeyRange(starts.get(index), end);
  }

  boolean startsAt(Bytes key) {
    return starts.get(index(key)).equals(key);
  }

  /** These tablets, the one that holds {@code key} cut there; both halves get new numbers. */
  TabletMap split(Bytes key) {
    int index = index(key);
    List<Bytes> newStarts = new ArrayList<>(starts);
    List<Long> newIds = new ArrayList<>(ids);
    newStarts.add(index + 1, key);
    newIds.set(index, nextId);
    newIds.add(index + 1, nextId + 1);
    return new TabletMap(newStarts, newIds, nextId + 2);
  }

  List<Tablet> tablets(String table, int tableId) {
    List<Tablet> tablets = new ArrayList<>();
    for (int i = 0; i < starts.size(); i++) {
      tablets.add(new Tablet(table, tableId + "-" + ids.get(i), range(i), "local"));
    }
    return tablets;
  }
}
