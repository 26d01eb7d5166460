package io.braid.store.rocksdb.writes;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowAccess;
import io.braid.core.store.StoreException;
import io.braid.core.store.TabletClock;
import io.braid.store.rocksdb.concurrency.StoreClock;
import io.braid.store.rocksdb.engine.Keys;
import io.braid.store.rocksdb.reads.CellReads;
import io.braid.store.rocksdb.reads.Cursors;
import io.braid.store.rocksdb.reads.NewestReads;
import io.braid.store.rocksdb.tables.Catalog;
import io.braid.store.rocksdb.tables.Family;
import io.braid.store.rocksdb.tables.PresenceFilter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run of a procedure, as an item of a call; it runs at most once. Its reads go to RocksDB and its
 * writes to the batch, so that a run sees its rows as they were before it.
 */
public final class ProcedureRun<A, R> implements ProcedureCalls.Item<R>, RowAccess, TabletClock {
  private final Procedure<A, R> procedure;
  private final A argument;
  private final Catalog catalog;
  private final CellReads cells;
  private final NewestReads newest;
  private final StoreClock clock;
  private final List<Row> rows;
  private final boolean readOnly;

  @SuppressWarnings("NullAway.Init") // run sets it
  private Cursors cursors;

  // Null in a run that excludes no other.
  private @Nullable Batch batch;
  // The position in rows of the row requested last: procedures go through the rows in order.
  private int lastPlace;
  // The row and family requested last.
  private @Nullable Row lastRow;
  private @Nullable Family lastFamily;

  ProcedureRun(ProcedureCalls.Sources sources, Procedure<A, R> procedure, A argument) {
    this.procedure = procedure;
    this.argument = argument;
    this.catalog = sources.catalog();
    this.cells = sources.cells();
    this.newest = sources.newest();
    this.clock = sources.clock();
    this.rows = procedure.rows(argument);
    this.readOnly = procedure.readOnly();
    long snapshot = procedure.snapshot(argument);
    rows.forEach(row -> catalog.table(row.table()).checkSnapshot(snapshot));
  }

  @Override
  public List<Row> rows() {
    return rows;
  }

  @Override
  public boolean readOnly() {
    return readOnly;
  }

  /**
   * @param batch null in a run that excludes no other
   */
  @Override
  public Outcome<R> run(Cursors cursors, @Nullable Batch batch) {
    this.cursors = cursors;
    this.batch = batch;
    return Outcome.done(procedure.run(this, argument));
  }

  @Override
  public @Nullable Cell newest(Row row, ColumnName column, long maxVersion) {
    Family family = family(row, column.family());
    if (maxVersion < 0 || !cells.mayHave(family, row.key())) {
      return null;
    }
    return batch == null
        ? newest.free(cursors, family, row, column, maxVersion)
        : saw(family, row, newest.locked(cursors, family, row, column, maxVersion));
  }

  @Override
  public long newestAbove(Row row, ColumnName column, long version) {
    Family family = family(row, column.family());
    if (!cells.mayHave(family, row.key())) {
      return 0;
    }
    return batch == null
        ? newest.freeAbove(cursors, family, row, column, version)
        : newest.above(cursors, family, row, column, version);
  }

  @Override
  public @Nullable Cell at(Row row, ColumnName column, long version) {
    Family family = family(row, column.family());
    if (!cells.mayHave(family, row.key())) {
      return null;
    }
    Batch to = batch;
    PresenceFilter filter = family.filter;
    if (to == null || filter == null || !family.veils.isEmpty()) {
      return saw(family, row, cells.at(family, row.key(), column, version));
    }
    byte[] key = Keys.cell(row.key(), column.qualifier(), version);
    Bytes value = filter.value(Bytes.wrap(key));
    if (value == null) {
      byte[] stored = cells.get(family, key);
      value = stored == null ? null : Bytes.wrap(stored);
    }
    if (value == null) {
      return null;
    }
    to.saw(family, row.key(), Bytes.wrap(key));
    return new Cell(column, version, value);
  }

  @Override
  public List<Cell> versions(
      Row row, ColumnName column, long minVersion, long maxVersion, int limit) {
    Family family = family(row, column.family());
    if (maxVersion < minVersion || maxVersion < 0 || !cells.mayHave(family, row.key())) {
      return List.of();
    }
    return cells.versions(cursors.of(family), row.key(), column, minVersion, maxVersion, limit);
  }

  @Override
  public List<Cell> family(Row row, String name, Bytes qualifierPrefix) {
    Family family = family(row, name);
    if (!cells.mayHave(family, row.key())) {
      return List.of();
    }
    List<Cell> found = cells.prefixed(cursors.of(family), family, row.key(), qualifierPrefix);
    for (Cell cell : found) {
      saw(family, row, cell);
    }
    return found;
  }

  @Override
  public boolean mayHave(Row row, String name) {
    return cells.mayHave(family(row, name), row.key());
  }

  @Override
  public boolean has(Row row, String family) {
    return catalog.table(row.table()).has(family);
  }

  private @Nullable Cell saw(Family family, Row row, @Nullable Cell cell) {
    if (cell != null && batch != null && family.filter != null) {
      batch.saw(family, row.key(), cell.column().qualifier(), cell.version());
    }
    return cell;
  }

  @Override
  public void put(Row row, ColumnName column, long version, Bytes value) {
    Batch to = writable();
    Family family = family(row, column.family());
    to.put(catalog.table(row.table()), family, row, column.qualifier(), version, value);
  }

  @Override
  public void delete(Row row, ColumnName column, long version) {
    Batch to = writable();
    to.delete(family(row, column.family()), row, column.qualifier(), version);
  }

  private Batch writable() {
    Batch to = batch;
    if (to == null || readOnly) {
      throw new StoreException("A procedure that only reads has written.");
    }
    return to;
  }

  private Family family(Row row, String name) {
    Family last = lastFamily;
    if (last != null && row == lastRow && last.name.equals(name)) {
      return last;
    }
    Family found = find(row, name);
    lastRow = row;
    lastFamily = found;
    return found;
  }

  private Family find(Row row, String family) {
    if (!isNamed(row)) {
      throw new StoreException("The procedure uses row " + row + ", which it did not name.");
    }
    return catalog.table(row.table()).family(family);
  }

  /** Looks from the row asked for last on, so that a walk over many rows takes a look at each. */
  private boolean isNamed(Row row) {
    for (int i = 0, at = lastPlace; i < rows.size(); i++, at++) {
      if (at == rows.size()) {
        at = 0;
      }
      if (rows.get(at).equals(row)) {
        lastPlace = at;
        return true;
      }
    }
    return false;
  }

  @Override
  public TabletClock clock() {
    return this;
  }

  @Override
  public long epoch(String table) {
    return catalog.table(table).epoch;
  }

  @Override
  public long birth(String table) {
    return catalog.table(table).birth;
  }

  @Override
  public boolean isClosing(String table) {
    return catalog.table(table).isClosing();
  }

  @Override
  public long watermark() {
    return catalog.watermark();
  }

  @Override
  public long next(long atLeast) {
    Batch to = writable();
    long version = clock.next(atLeast);
    if (version != EXHAUSTED) {
      to.drew(version);
    }
    return version;
  }

  @Override
  public void raise(long version) {
    clock.raise(version);
  }
}
