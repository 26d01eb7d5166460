package io.braid.indexes;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.store.CellStore;
import io.braid.core.time.TimestampOracle;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Defines indexes: looks whether they can be, and gives their rows a place. */
record IndexDefinition(
    CellStore store, IndexedTables tables, IndexRegistry registry, TimestampOracle oracle) {

  /** Whether two indexes of one name are the same. */
  static boolean isSame(Index one, Index other) {
    return one.table().equals(other.table())
        && one.column().equals(other.column())
        && one.kind() == other.kind();
  }

  /**
   * Records an index that is to be built, with the place for its rows.
   *
   * @throws IllegalArgumentException when there is no such table or family, or the name is taken
   */
  IndexEntry define(Index index) {
    if (registry.isIndex(index.table())) {
      throw new IllegalArgumentException(
          "Table " + index.table() + " is an index: name a column of the table that it is of.");
    }
    if (store.table(index.table()).filter(t -> t.has(index.column().family())).isEmpty()) {
      throw new IllegalArgumentException(
          "There is no family " + index.column().family() + " in table " + index.table() + ".");
    }
    if (store.table(index.name()).isPresent()) {
      throw new IllegalArgumentException(
          "There is a table " + index.name() + ": choose another name for the index.");
    }
    IndexEntry entry;
    if (index.isLocal()) {
      store.ensureTable(Families.indexed(index.table()));
      entry = IndexEntry.of(index, oracle.next(), starts(index.table()));
    } else {
      tables.bindLike(index.name(), index.table());
      store.ensureTable(
          Families.transactional(index.name(), List.of()).merge(Families.indexed(index.name())));
      entry = IndexEntry.of(index, oracle.next(), List.of());
      // A process that knew another index of this name, in a table of that name, must not write
      // here.
      store.raiseEpoch(index.name(), entry.id());
    }
    registry.put(entry);
    return entry;
  }

  /** Where the tablets of a table begin; the first at the lowest key. */
  private List<Bytes> starts(String table) {
    Set<Bytes> starts = new TreeSet<>();
    starts.add(Bytes.EMPTY);
    store.tablets(table).forEach(tablet -> starts.add(tablet.range().start()));
    return List.copyOf(starts);
  }
}
