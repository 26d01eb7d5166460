package io.braid.store.rocksdb;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.Lift;
import io.braid.core.store.LiftCheck;
import io.braid.core.store.RowCells;
import io.braid.core.store.Selection;
import io.braid.core.store.TableSchema.Kind;
import io.braid.core.store.TabletClock;
import io.braid.core.store.Veils;
import io.braid.store.rocksdb.concurrency.StoreClock;
import io.braid.store.rocksdb.engine.Keys;
import io.braid.store.rocksdb.reads.FamilyWalk;
import io.braid.store.rocksdb.tables.Family;
import io.braid.store.rocksdb.tables.PresenceFilter;
import io.braid.store.rocksdb.tables.Table;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.RocksIterator;

/**
 * Lifts a veil, alone in the gate: a one-phase commit of all that lies under it. The version comes
 * from the clock of the store, and the record in the catalog is the only thing that is written.
 */
final class VeilLifter {
  private static final int MOST_BLOCKED = 64;

  /**
   * The process that wants the lift tries again sooner. If that process died, no other process
   * waits for longer than this.
   */
  private static final long CLOSING_NANOS = 200_000_000;

  private final Database database;
  private final StoreClock clock;

  VeilLifter(Database database, StoreClock clock) {
    this.database = database;
    this.clock = clock;
  }

  Lift run(String name, long version, long start, long epoch, String family, LiftCheck check) {
    Table table = database.catalog.table(name);
    Veils.Veil veil = table.veils().require(version, database.catalog.watermark());
    if (veil.isLifted()) {
      return Lift.at(veil.commit());
    }
    if (table.epoch != epoch) {
      return Lift.STALE;
    }
    List<Row> blocked = blocked(table, table.family(family), version, check);
    table.close(blocked.isEmpty() ? 0 : CLOSING_NANOS);
    if (!blocked.isEmpty()) {
      return Lift.blockedBy(blocked);
    }
    long commit = clock.next(start);
    if (commit == TabletClock.EXHAUSTED) {
      return Lift.EXHAUSTED;
    }
    try {
      database.bounds.raiseFloor(database.engine, commit);
      Veils.Veil lifted = new Veils.Veil(version, commit, veil.wins());
      database.catalog.saveVeil(table, lifted);
      database.catalog.showVeil(table, lifted);
      database.forgetNewest();
    } finally {
      clock.settle(commit);
    }
    return Lift.at(commit);
  }

  private List<Row> blocked(Table table, Family sparse, long version, LiftCheck check) {
    List<Row> blocked = new ArrayList<>();
    if (sparse.filter != null && sparse.filter.silence() != PresenceFilter.NO_SILENCE) {
      return blocked;
    }
    try (RocksIterator keys = database.engine.db.newIterator(sparse.handle)) {
      keys.seekToFirst();
      FamilyWalk walk = new FamilyWalk(sparse, keys, List.of(Selection.family(sparse.name)));
      walk.start();
      for (byte[] key = walk.key();
          key != null && blocked.size() < MOST_BLOCKED;
          key = walk.key()) {
        int rowLength = Keys.fieldEnd(key, 0);
        Row row = new Row(table.name, Keys.field(key, 0, rowLength));
        List<Cell> cells = new ArrayList<>();
        walk.row(rowLength, cells);
        if (!cells.isEmpty()
            && check.blocks(new RowCells(row, cells), new VeiledRow(table, row.key(), version))) {
          blocked.add(row);
        }
      }
    }
    return blocked;
  }

  /** The cells of a row under the veil. */
  private final class VeiledRow implements LiftCheck.VeiledCells {
    private final Table table;
    private final Bytes row;
    private final long version;

    VeiledRow(Table table, Bytes row, long version) {
      this.table = table;
      this.row = row;
      this.version = version;
    }

    @Override
    public boolean column(ColumnName column) {
      byte[] key = Keys.cell(row, column.qualifier(), version);
      return database.cells.get(table.family(column.family()), key) != null;
    }

    @Override
    public boolean anywhere() {
      byte[] prefix = Keys.row(row);
      for (Family family : table.families()) {
        if (family.kind == Kind.DATA && anywhere(family, prefix)) {
          return true;
        }
      }
      return false;
    }

    private boolean anywhere(Family family, byte[] prefix) {
      try (RocksIterator keys = database.engine.db.newIterator(family.handle)) {
        for (keys.seek(prefix); keys.isValid(); keys.next()) {
          byte[] key = keys.key();
          if (key.length < prefix.length
              || !java.util.Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length)) {
            return false;
          }
          if (Keys.version(key, key.length) == version) {
            return true;
          }
        }
        FamilyWalk.check(keys);
        return false;
      }
    }
  }
}
