package io.braid.testkit;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.store.Selection;
import io.braid.core.store.Veils;
import io.braid.testkit.MemoryTable.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A row of a {@link MemoryTable}: its columns, in order. Selected cells are found without a look at
 * the others, however long the history of a column has become.
 */
final class MemoryRow {
  private final List<MemoryColumn> columns = new ArrayList<>(2);

  @Nullable Bytes get(Place place) {
    int at = find(place.column().family(), place.column().qualifier());
    return at < 0 ? null : columns.get(at).get(place.version());
  }

  /** Puts a value and returns the previous one, or null. */
  @Nullable Bytes put(Place place, Bytes value) {
    int at = find(place.column().family(), place.column().qualifier());
    if (at < 0) {
      at = -at - 1;
      columns.add(at, new MemoryColumn(place.column()));
    }
    return columns.get(at).put(place.version(), value);
  }

  /** Removes a value and returns it, or null if there is none. */
  @Nullable Bytes remove(Place place) {
    int at = find(place.column().family(), place.column().qualifier());
    if (at < 0) {
      return null;
    }
    Bytes before = columns.get(at).remove(place.version());
    if (columns.get(at).isEmpty()) {
      columns.remove(at);
    }
    return before;
  }

  /** Whether any cell has this version, in families other than the given one. */
  boolean hasVersion(long version, String except) {
    return columns.stream()
        .anyMatch(column -> !column.name().family().equals(except) && column.get(version) != null);
  }

  boolean isEmpty() {
    return columns.isEmpty();
  }

  /** The selected cells, each once, in order. */
  List<Cell> select(List<Selection> selections, Veils veils) {
    List<Cell> found = new ArrayList<>();
    for (Selection selection : selections) {
      select(selection, veils, found);
    }
    if (isSorted(found)) {
      return found;
    }
    TreeSet<Cell> sorted = new TreeSet<>(Cell.ORDER);
    sorted.addAll(found);
    return new ArrayList<>(sorted);
  }

  private static boolean isSorted(List<Cell> cells) {
    for (int i = 1; i < cells.size(); i++) {
      if (Cell.ORDER.compare(cells.get(i - 1), cells.get(i)) >= 0) {
        return false;
      }
    }
    return true;
  }

  private void select(Selection selection, Veils veils, List<Cell> into) {
    Bytes qualifier = selection.qualifier();
    int at = find(selection.family(), qualifier == null ? Bytes.EMPTY : qualifier);
    if (qualifier != null) {
      if (at >= 0) {
        select(columns.get(at), selection, veils, into);
      }
      return;
    }
    for (int i = at < 0 ? -at - 1 : at; i < columns.size(); i++) {
      MemoryColumn column = columns.get(i);
      if (!column.name().family().equals(selection.family())) {
        return;
      }
      select(column, selection, veils, into);
    }
  }

  private static void select(
      MemoryColumn column, Selection selection, Veils veils, List<Cell> into) {
    if (veils.isEmpty()) {
      column.select(selection.minVersion(), selection.maxVersion(), selection.maxVersions(), into);
      return;
    }
    List<Cell> stored = new ArrayList<>();
    column.select(0, selection.maxVersion(), Integer.MAX_VALUE, stored);
    into.addAll(
        veils.show(
            stored, selection.minVersion(), selection.maxVersion(), selection.maxVersions()));
  }

  /** As {@link java.util.Collections#binarySearch}. */
  private int find(String family, Bytes qualifier) {
    int low = 0;
    int high = columns.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = columns.get(middle).compareTo(family, qualifier);
      if (order == 0) {
        return middle;
      } else if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -low - 1;
  }
}
