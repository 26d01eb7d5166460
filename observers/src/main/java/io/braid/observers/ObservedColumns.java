package io.braid.observers;

import io.braid.core.data.ColumnName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Which columns are observed, and by whom. Immutable. */
final class ObservedColumns {
  static final ObservedColumns NONE = new ObservedColumns(List.of());

  private final SortedMap<String, SortedMap<ColumnName, List<Watch>>> tables = new TreeMap<>();

  ObservedColumns(Collection<Watch> watches) {
    for (Watch watch : watches) {
      tables
          .computeIfAbsent(watch.registration().table(), table -> new TreeMap<>())
          .computeIfAbsent(watch.registration().column(), column -> new ArrayList<>())
          .add(watch);
    }
  }

  /** All observers, by table and column. */
  List<Watch> watches() {
    return tables.values().stream()
        .flatMap(columns -> columns.values().stream())
        .flatMap(List::stream)
        .toList();
  }

  /** All observed tables, in order. */
  List<String> tables() {
    return List.copyOf(tables.keySet());
  }

  /** The tables with an observer that this process has the code of, in order. */
  List<String> tablesRunHere() {
    List<String> here = new ArrayList<>();
    tables.forEach(
        (table, columns) -> {
          if (columns.values().stream().anyMatch(ObservedColumns::anyRunHere)) {
            here.add(table);
          }
        });
    return here;
  }

  /** The observers of a column, strong and weak. */
  List<Watch> of(String table, ColumnName column) {
    SortedMap<ColumnName, List<Watch>> columns = tables.get(table);
    return columns == null ? List.of() : columns.getOrDefault(column, List.of());
  }

  /** Whether writes of the column carry a notification. */
  boolean isStrong(String table, ColumnName column) {
    return of(table, column).stream().anyMatch(watch -> !watch.weak());
  }

  boolean isRunHere(String table, ColumnName column) {
    return anyRunHere(of(table, column));
  }

  private static boolean anyRunHere(List<Watch> watches) {
    return watches.stream().anyMatch(Watch::runsHere);
  }
}
