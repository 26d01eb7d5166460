package io.braid.store.rocksdb;

import io.braid.core.store.StoreException;
import io.braid.store.rocksdb.concurrency.RowLocks;
import io.braid.store.rocksdb.concurrency.StoreClock;
import io.braid.store.rocksdb.engine.Engine;
import io.braid.store.rocksdb.engine.Health;
import io.braid.store.rocksdb.reads.CellReads;
import io.braid.store.rocksdb.reads.Counters;
import io.braid.store.rocksdb.reads.CursorPool;
import io.braid.store.rocksdb.reads.NewestCells;
import io.braid.store.rocksdb.reads.NewestReads;
import io.braid.store.rocksdb.reads.OpenScans;
import io.braid.store.rocksdb.reads.RowReads;
import io.braid.store.rocksdb.reads.VersionBounds;
import io.braid.store.rocksdb.tables.Catalog;
import io.braid.store.rocksdb.tables.Reach;
import io.braid.store.rocksdb.tables.Table;
import io.braid.store.rocksdb.tables.TabletSplitter;
import io.braid.store.rocksdb.writes.BatchWriter;
import io.braid.store.rocksdb.writes.ProcedureCalls;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The opened data of a store with all that reads and writes it. When the store recovers from a full
 * disk, it is closed and another takes its place.
 */
final class Database implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Database.class);
  private static final long LARGE_LOG = 16L << 20;

  final Engine engine;
  final Catalog catalog;
  final CursorPool cursors;
  final RowLocks locks;
  final CellReads cells;
  private final NewestCells newestCells;
  final VersionBounds bounds;
  final RowReads reads;
  final Reach reach;
  final ProcedureCalls procedures;
  private final TabletSplitter splitter;
  final OpenScans scans = new OpenScans();

  Database(
      Engine engine, RocksOptions options, StoreClock clock, Health health, Counters counters) {
    this.engine = engine;
    locks = new RowLocks();
    catalog = new Catalog(engine, health);
    cursors = new CursorPool(engine);
    cells = new CellReads(engine, counters);
    catalog.all().forEach(table -> table.families().forEach(cells::fill));
    bounds = new VersionBounds(engine, catalog.all().isEmpty(), options.memoryBytes());
    newestCells = new NewestCells(options.memoryBytes());
    NewestReads newest = new NewestReads(cells, locks, newestCells, bounds, counters);
    reads = new RowReads(engine, locks, cells, newest, counters);
    reach = new Reach(catalog, options.reach() == OnePhaseReach.STORE);
    BatchWriter writer =
        new BatchWriter(engine, locks, clock, health, newestCells, bounds, counters);
    splitter = new TabletSplitter(engine, catalog, options.tabletBytes());
    procedures =
        new ProcedureCalls(
            locks,
            new ProcedureCalls.Sources(catalog, cells, newest, clock),
            writer,
            health,
            reach);
  }

  /** Removes a table and its data. To be called alone in the gate. */
  void drop(Table table) {
    catalog.remove(table);
    scans.releaseOf(table);
    cursors.closeAll();
    newestCells.clear();
    catalog.erase(table);
  }

  /** Does the periodic work beside the calls, once a second. */
  void maintain() {
    // Cursors go on to files that were written meanwhile.
    engine.writes.changed();
    cursors.closeUnused();
    splitter.check();
  }

  /** Cells came in by another way than through batches. To be called alone in the gate. */
  void forgetNewest() {
    engine.writes.changed();
    newestCells.clear();
  }

  void splitLarge() {
    splitter.splitLarge();
  }

  /** Spares the next open a long log. The log holds everything, so that this fails is no loss. */
  void flushLargeLog(Health health) {
    try {
      if (health.refusal() == null && engine.logBytes() > LARGE_LOG) {
        engine.flush();
      }
    } catch (StoreException e) {
      LOG.warn("The log is left to the next open: {}", e.getMessage());
    }
  }

  /**
   * Closes the database. To be called alone in the gate, when no call uses the database any more.
   */
  @Override
  public void close() {
    scans.releaseAll();
    cursors.closeAll();
    engine.close();
  }
}
