package io.braid.testkit;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.LiftCheck;
import io.braid.core.store.RowCells;
import io.braid.core.store.Selection;
import io.braid.core.store.TableReplacedException;
import io.braid.core.store.TableSchema;
import io.braid.core.store.Tablet;
import io.braid.core.store.TabletClock;
import io.braid.core.store.UnknownTableException;
import io.braid.core.store.Veils;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A table of a {@link MemoryStore}; guarded by the store's monitor. */
final class MemoryTable {
  /** The place of a cell in its row. */
  record Place(ColumnName column, long version) implements Comparable<Place> {
    private static final Comparator<Place> ORDER =
        Comparator.comparing(Place::column)
            .thenComparing(Comparator.comparingLong(Place::version).reversed());

    @Override
    public int compareTo(Place other) {
      return ORDER.compare(this, other);
    }
  }

  TableSchema schema;
  final long birth;
  long epoch;
  Veils veils = Veils.NONE;

  /** How often the table still says that it is closing; there is no clock here. */
  private int closing;

  private final NavigableMap<Bytes, MemoryRow> rows = new TreeMap<>();
  private final NavigableMap<Bytes, MemoryClock> tablets = new TreeMap<>();

  /**
   * @param clock of the only tablet
   */
  MemoryTable(TableSchema schema, long birth, MemoryClock clock) {
    this.schema = schema;
    this.birth = birth;
    this.epoch = birth;
    tablets.put(Bytes.EMPTY, clock);
  }

  void checkSnapshot(long snapshot) {
    TableReplacedException.check(schema.name(), birth, snapshot);
  }

  void checkFamily(String family) {
    if (!schema.has(family)) {
      throw new UnknownTableException(
          "Table " + schema.name() + " has no family " + family + "; add it first.");
    }
  }

  void checkFamilies(List<Selection> selections) {
    selections.forEach(selection -> checkFamily(selection.family()));
  }

  @Nullable Bytes get(Bytes key, Place place) {
    MemoryRow row = rows.get(key);
    return row == null ? null : row.get(place);
  }

  /** Puts a value, or removes the cell when it is null; what was there before. */
  @Nullable Bytes set(Bytes key, Place place, @Nullable Bytes value) {
    if (value != null) {
      return rows.computeIfAbsent(key, k -> new MemoryRow()).put(place, value);
    }
    MemoryRow row = rows.get(key);
    if (row == null) {
      return null;
    }
    Bytes before = row.remove(place);
    if (row.isEmpty()) {
      rows.remove(key);
    }
    return before;
  }

  /** The selected cells of a row, in order. */
  List<Cell> select(Bytes key, List<Selection> selections) {
    MemoryRow row = rows.get(key);
    return row == null ? List.of() : row.select(selections, veils);
  }

  /** The first rows at or after {@code from} that have any of the selected cells. */
  List<RowCells> next(Bytes from, KeyRange range, List<Selection> selections, int most) {
    List<RowCells> found = new ArrayList<>();
    for (Map.Entry<Bytes, MemoryRow> entry : rows.tailMap(from, true).entrySet()) {
      if (found.size() == most || !range.contains(entry.getKey())) {
        break;
      }
      List<Cell> cells = entry.getValue().select(selections, veils);
      if (!cells.isEmpty()) {
        found.add(new RowCells(new Row(schema.name(), entry.getKey()), cells));
      }
    }
    return found;
  }

  void close(int times) {
    closing = times;
  }

  boolean isClosing() {
    if (closing > 0) {
      closing--;
      return true;
    }
    return false;
  }

  /** The rows that the check finds in the way of lifting a veil. */
  List<Row> blocked(long version, String family, LiftCheck check) {
    List<Row> blocked = new ArrayList<>();
    rows.forEach(
        (key, row) -> {
          List<Cell> cells = row.select(List.of(Selection.family(family)), veils);
          Row name = new Row(schema.name(), key);
          if (!cells.isEmpty()
              && check.blocks(new RowCells(name, cells), veiled(row, version, family))) {
            blocked.add(name);
          }
        });
    return blocked;
  }

  private static LiftCheck.VeiledCells veiled(MemoryRow row, long version, String family) {
    return new LiftCheck.VeiledCells() {
      @Override
      public boolean column(ColumnName column) {
        return row.get(new Place(column, version)) != null;
      }

      @Override
      public boolean anywhere() {
        return row.hasVersion(version, family);
      }
    };
  }

  /** Draws a version above what any of the tablets has served, and raises all of them to it. */
  long drawEverywhere(long start) {
    long highest = start;
    for (MemoryClock clock : tablets.values()) {
      highest = Math.max(highest, clock.value());
    }
    long drawn = tablets.firstEntry().getValue().next(highest);
    if (drawn != TabletClock.EXHAUSTED) {
      tablets.values().forEach(clock -> clock.raise(drawn));
    }
    return drawn;
  }

  /** Begins a tablet at {@code key}, with this clock; does nothing when one begins there. */
  void split(Bytes key, MemoryClock clock) {
    tablets.putIfAbsent(key, clock);
  }

  /** The tablet that begins at {@code key} becomes a part of the one before it. */
  void merge(Bytes key) {
    MemoryClock right = key.isEmpty() ? null : tablets.remove(key);
    if (right == null) {
      throw new IllegalArgumentException(
          "No tablet of table " + schema.name() + " that has one before it begins at " + key);
    }
    clock(key).join(right);
  }

  /** The first key of the tablet that holds {@code key}. */
  Bytes tabletStart(Bytes key) {
    return tablet(key).getKey();
  }

  /** The clock of the tablet that holds {@code key}. */
  MemoryClock clock(Bytes key) {
    return tablet(key).getValue();
  }

  /** Raises the clocks of all tablets that hold keys of the range. */
  void raiseClocks(KeyRange range, long snapshot) {
    Bytes end = range.end();
    for (var tablet : tablets.tailMap(tabletStart(range.start()), true).entrySet()) {
      if (end != null && tablet.getKey().compareTo(end) >= 0) {
        return;
      }
      tablet.getValue().raise(snapshot);
    }
  }

  Collection<MemoryClock> clocks() {
    return tablets.values();
  }

  void describe(StringBuilder text) {
    text.append(schema).append(birth).append(' ').append(epoch).append(' ').append(closing);
    text.append(veils.all()).append(tablets);
    List<Selection> all = new ArrayList<>();
    schema.families().forEach(family -> all.add(Selection.family(family.name())));
    rows.forEach(
        (key, row) -> {
          text.append('\n').append(key);
          row.select(all, Veils.NONE).forEach(cell -> text.append(' ').append(cell));
        });
  }

  private Map.Entry<Bytes, MemoryClock> tablet(Bytes key) {
    return Objects.requireNonNull(tablets.floorEntry(key), "a tablet begins at the empty key");
  }

  List<Tablet> tablets() {
    List<Tablet> found = new ArrayList<>();
    for (Bytes start : tablets.keySet()) {
      Bytes end = tablets.higherKey(start);
      String id = schema.name() + "," + start.toHex() + "," + (end == null ? "" : end.toHex());
      found.add(new Tablet(schema.name(), id, new KeyRange(start, end), "memory"));
    }
    return found;
  }
}
