package io.braid.testkit;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.store.Selection;
import io.braid.core.store.Veils;
import io.braid.testkit.MemoryTable.Place;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A row of a {@link MemoryTable}: family, qualifier, version from the highest down. What is
 * selected is found without a look at what is not, however long the history of a column has become.
 */
final class MemoryRow {
  private final Map<String, NavigableMap<Bytes, NavigableMap<Long, Bytes>>> families =
      new TreeMap<>();

  @Nullable Bytes get(Place place) {
    NavigableMap<Long, Bytes> column = column(place.column());
    return column == null ? null : column.get(place.version());
  }

  private @Nullable NavigableMap<Long, Bytes> column(ColumnName name) {
    NavigableMap<Bytes, NavigableMap<Long, Bytes>> family = families.get(name.family());
    return family == null ? null : family.get(name.qualifier());
  }

  /** What was there before. */
  @Nullable Bytes put(Place place, Bytes value) {
    return families
        .computeIfAbsent(place.column().family(), f -> new TreeMap<>())
        .computeIfAbsent(place.column().qualifier(), q -> new TreeMap<>(Comparator.reverseOrder()))
        .put(place.version(), value);
  }

  /** What was there before. */
  @Nullable Bytes remove(Place place) {
    NavigableMap<Bytes, NavigableMap<Long, Bytes>> family = families.get(place.column().family());
    NavigableMap<Long, Bytes> column =
        family == null ? null : family.get(place.column().qualifier());
    if (family == null || column == null) {
      return null;
    }
    Bytes before = column.remove(place.version());
    if (column.isEmpty()) {
      family.remove(place.column().qualifier());
    }
    if (family.isEmpty()) {
      families.remove(place.column().family());
    }
    return before;
  }

  /** Whether any cell has this version, in families other than the given one. */
  boolean hasVersion(long version, String except) {
    return families.entrySet().stream()
        .filter(family -> !family.getKey().equals(except))
        .flatMap(family -> family.getValue().values().stream())
        .anyMatch(versions -> versions.containsKey(version));
  }

  boolean isEmpty() {
    return families.isEmpty();
  }

  /** The selected cells, each once, in order. */
  List<Cell> select(List<Selection> selections, Veils veils) {
    List<Cell> found = new ArrayList<>();
    selections.forEach(selection -> select(selection, veils, found));
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
    NavigableMap<Bytes, NavigableMap<Long, Bytes>> family = families.get(selection.family());
    if (family == null) {
      return;
    }
    Bytes qualifier = selection.qualifier();
    if (qualifier == null) {
      family.forEach((each, versions) -> select(each, versions, selection, veils, into));
    } else {
      NavigableMap<Long, Bytes> versions = family.get(qualifier);
      if (versions != null) {
        select(qualifier, versions, selection, veils, into);
      }
    }
  }

  private static void select(
      Bytes qualifier,
      NavigableMap<Long, Bytes> versions,
      Selection selection,
      Veils veils,
      List<Cell> into) {
    ColumnName column = new ColumnName(selection.family(), qualifier);
    if (!veils.isEmpty()) {
      List<Cell> stored = new ArrayList<>();
      versions
          .tailMap(selection.maxVersion())
          .forEach((version, value) -> stored.add(new Cell(column, version, value)));
      into.addAll(
          veils.show(
              stored, selection.minVersion(), selection.maxVersion(), selection.maxVersions()));
      return;
    }
    int taken = 0;
    for (Map.Entry<Long, Bytes> entry : versions.tailMap(selection.maxVersion()).entrySet()) {
      if (entry.getKey() < selection.minVersion() || taken == selection.maxVersions()) {
        return;
      }
      into.add(new Cell(column, entry.getKey(), entry.getValue()));
      taken++;
    }
  }
}
