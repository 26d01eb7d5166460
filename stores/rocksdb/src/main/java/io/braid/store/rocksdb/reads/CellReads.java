package io.braid.store.rocksdb.reads;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.store.Selection;
import io.braid.core.store.ShownColumns;
import io.braid.core.store.Veils;
import io.braid.store.rocksdb.engine.Engine;
import io.braid.store.rocksdb.engine.Keys;
import io.braid.store.rocksdb.tables.Family;
import io.braid.store.rocksdb.tables.PresenceFilter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * Reads cells of one row.
 *
 * <p>The newest version at or below a bound is the first key at or after (row, qualifier, inverted
 * bound): one seek with a borrowed cursor. That costs as much as a get of a known key, so no second
 * place is kept on disk for the newest version, and past versions cost no more than new ones. In a
 * sparse family the presence filter is asked first, and usually has the answer. {@link NewestCells}
 * answers repeated reads of the same columns.
 */
public final class CellReads {
  private final Engine engine;
  private final Counters counters;

  public CellReads(Engine engine, Counters counters) {
    this.engine = engine;
    this.counters = counters;
  }

  /** Counts the cells of a sparse family again; no other call uses the family yet. */
  public void fill(Family family) {
    PresenceFilter filter = family.filter;
    if (filter == null) {
      return;
    }
    try (RocksIterator all = engine.db.newIterator(family.handle)) {
      for (all.seekToFirst(); all.isValid(); all.next()) {
        byte[] key = all.key();
        filter.up(Keys.field(key, 0, Keys.fieldEnd(key, 0)));
      }
      FamilyWalk.check(all);
    }
  }

  /** Whether the row may have cells in the family. */
  public boolean mayHave(Family family, Bytes row) {
    PresenceFilter filter = family.filter;
    if (filter == null) {
      return true;
    }
    counters.presenceChecks.increment();
    if (filter.mayHave(row)) {
      return true;
    }
    counters.presenceHits.increment();
    return false;
  }

  /**
   * The newest version of a column as the cursor sees it.
   *
   * @param from the key of the highest version that may be
   */
  @Nullable Cell newest(Cursor cursor, ColumnName column, byte[] from) {
    Veils veils = cursor.family.veils;
    return veils.isEmpty() ? stored(cursor, column, from) : shown(cursor, column, from, veils);
  }

  /** As {@link #newest}, in a table that has veils. */
  private @Nullable Cell shown(Cursor cursor, ColumnName column, byte[] from, Veils veils) {
    long atMost = Keys.version(from, from.length);
    Cell cell = stored(cursor, column, from);
    while (cell != null && !isShown(veils, cell.version(), atMost)) {
      byte[] next = Keys.withVersion(from, cell.version() - 1);
      cell = cell.version() == 0 ? null : stored(cursor, column, next);
    }
    if (cell == null) {
      return null;
    }
    long shown = veils.shown(cell.version());
    long winner = veils.winner(shown, atMost, Long.MAX_VALUE);
    while (winner != 0) {
      Cell over = stored(cursor, column, Keys.withVersion(from, winner));
      if (over != null && over.version() == winner) {
        return new Cell(column, veils.shown(winner), over.value());
      }
      winner = veils.winner(shown, atMost, winner);
    }
    return shown == cell.version() ? cell : new Cell(column, shown, cell.value());
  }

  private static boolean isShown(Veils veils, long version, long atMost) {
    long shown = veils.shown(version);
    return shown != Veils.HIDDEN && shown <= atMost;
  }

  private @Nullable Cell stored(Cursor cursor, ColumnName column, byte[] from) {
    RocksIterator at = seek(cursor, from, from, from.length - Keys.VERSION_BYTES);
    if (!at.isValid()) {
      FamilyWalk.check(at);
      return null;
    }
    byte[] key = at.key();
    return new Cell(column, Keys.version(key, key.length), Bytes.wrap(at.value()));
  }

  public @Nullable Cell at(Family family, Bytes row, ColumnName column, long version) {
    Veils veils = family.veils;
    long stored = veils.isEmpty() ? version : veils.stored(version);
    if (!veils.isEmpty() && veils.hides(stored)) {
      return null;
    }
    byte[] value = get(family, Keys.cell(row, column.qualifier(), stored));
    return value == null ? null : new Cell(column, version, Bytes.wrap(value));
  }

  public byte @Nullable [] get(Family family, byte[] key) {
    counters.gets.increment();
    try {
      return engine.db.get(family.handle, key);
    } catch (RocksDBException e) {
      throw Engine.failure("A cell cannot be read.", e);
    }
  }

  public List<Cell> versions(
      Cursor cursor, Bytes row, ColumnName column, long minVersion, long maxVersion, int limit) {
    Veils veils = cursor.family.veils;
    if (veils.isEmpty()) {
      return stored(cursor, row, column, minVersion, maxVersion, limit);
    }
    long lowest = veils.lowest(minVersion, maxVersion);
    List<Cell> all = stored(cursor, row, column, lowest, maxVersion, Integer.MAX_VALUE);
    return veils.show(all, minVersion, maxVersion, limit);
  }

  private List<Cell> stored(
      Cursor cursor, Bytes row, ColumnName column, long minVersion, long maxVersion, int limit) {
    List<Cell> cells = new ArrayList<>();
    byte[] from = Keys.cell(row, column.qualifier(), maxVersion);
    RocksIterator at = seek(cursor, from, from, from.length - Keys.VERSION_BYTES);
    while (cells.size() < limit && at.isValid()) {
      byte[] key = at.key();
      long version = Keys.version(key, key.length);
      if (version < minVersion) {
        return cells;
      }
      cells.add(new Cell(column, version, Bytes.wrap(at.value())));
      at.next();
    }
    FamilyWalk.check(at);
    return cells;
  }

  /** All cells whose qualifier starts with the prefix. */
  public List<Cell> prefixed(Cursor cursor, Family family, Bytes row, Bytes prefix) {
    byte[] from = Keys.qualifierPrefix(row, prefix);
    int rowLength = Keys.escapedLength(row);
    List<Cell> cells = new ArrayList<>();
    RocksIterator at = seek(cursor, from, from, rowLength);
    while (at.isValid()) {
      byte[] key = at.key();
      int columnLength = key.length - Keys.VERSION_BYTES;
      Bytes qualifier = Keys.field(key, rowLength, columnLength);
      if (!qualifier.startsWith(prefix)) {
        return shown(family, cells);
      }
      cells.add(
          new Cell(
              new ColumnName(family.name, qualifier),
              Keys.version(key, key.length),
              Bytes.wrap(at.value())));
      at.next();
    }
    FamilyWalk.check(at);
    return shown(family, cells);
  }

  private static List<Cell> shown(Family family, List<Cell> stored) {
    return family.veils.isEmpty() ? stored : ShownColumns.of(family.veils, stored);
  }

  void select(Cursor cursor, Bytes row, Selection selection, List<Cell> out) {
    Bytes qualifier = selection.qualifier();
    if (qualifier == null) {
      walk(cursor, row, selection, out);
      return;
    }
    ColumnName column = new ColumnName(selection.family(), qualifier);
    if (selection.maxVersions() > 1) {
      out.addAll(
          versions(
              cursor,
              row,
              column,
              selection.minVersion(),
              selection.maxVersion(),
              selection.maxVersions()));
      return;
    }
    byte[] from = Keys.cell(row, qualifier, selection.maxVersion());
    Cell cell = newest(cursor, column, from);
    if (cell != null && cell.version() >= selection.minVersion()) {
      out.add(cell);
    }
  }

  private void walk(Cursor cursor, Bytes row, Selection selection, List<Cell> out) {
    byte[] from = Keys.row(row);
    RocksIterator at = seek(cursor, from, from, from.length);
    FamilyWalk walk = new FamilyWalk(cursor.family, at, List.of(selection));
    walk.start();
    walk.row(from.length, out);
    counters.seeks.add(walk.seeks);
  }

  private RocksIterator seek(Cursor cursor, byte[] from, byte[] end, int endLength) {
    counters.seeks.increment();
    return cursor.seek(from, end, endLength);
  }
}
