package io.braid.store.rocksdb;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.SortedFileWriter;
import io.braid.core.store.TableSchema;
import io.braid.core.store.Tablet;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.rocksdb.TickerType;

/**
 * The embedded store: tables in a directory, over RocksDB, in the process of its user. One process
 * opens a directory at a time. See {@link CellStore} for what the methods promise.
 *
 * <p>A call passes the {@link Gate}, waits for its snapshot at the {@link StoreClock}, and then
 * reads ({@link RowReads}, {@link TableScan}) or locks its rows and writes ({@link
 * ProcedureCalls}). Calls that change tables run one at a time.
 */
public final class RocksStore implements CellStore {
  private final Engine engine;
  private final Gate gate = new Gate();
  private final StoreClock clock = new StoreClock();
  private final Counters counters = new Counters();
  private final OpenScans scans = new OpenScans();
  private final Catalog catalog;
  private final CursorPool cursors;
  private final CellReads cells;
  private final RowReads reads;
  private final Reach reach;
  private final ProcedureCalls procedures;

  private RocksStore(Engine engine, RocksOptions options) {
    this.engine = engine;
    RowLocks locks = new RowLocks();
    Health health = new Health();
    catalog = new Catalog(engine);
    cursors = new CursorPool(engine);
    cells = new CellReads(engine, counters);
    catalog.all().forEach(table -> table.families().forEach(cells::fill));
    reads = new RowReads(engine, locks, cells, counters);
    reach = new Reach(options.reach(), catalog);
    BatchWriter writer = new BatchWriter(engine, locks, clock, health, counters);
    procedures = new ProcedureCalls(locks, cells, writer, health, reach);
  }

  /**
   * Opens a directory, and creates it when it is not there.
   *
   * @throws io.braid.core.store.StoreException when another process has it open, it holds something
   *     else, it was written by a newer version, or it is damaged
   */
  public static RocksStore open(Path directory, RocksOptions options) {
    return new RocksStore(Engine.open(directory, options), options);
  }

  @Override
  public List<RowCells> read(List<RowRead> requests) {
    return inside(
        () -> {
          List<Table> tables = new ArrayList<>(requests.size());
          long snapshot = 0;
          for (RowRead request : requests) {
            Table table = catalog.table(request.row().table());
            request.selections().forEach(selection -> table.family(selection.family()));
            tables.add(table);
            snapshot = Math.max(snapshot, request.snapshot());
          }
          clock.awaitSnapshot(snapshot);
          Cursors mine = cursors.borrow();
          try {
            return reads.read(mine, requests, tables);
          } finally {
            cursors.giveBack(mine);
          }
        });
  }

  @Override
  public RowScanner scan(ScanRequest request) {
    return inside(
        () -> {
          Table table = catalog.table(request.table());
          for (Selection selection : request.selections()) {
            table.family(selection.family());
          }
          clock.awaitSnapshot(request.snapshot());
          return new TableScan(engine, gate, scans, table, request);
        });
  }

  @Override
  public List<Outcome<Void>> write(List<RowWrite> writes, Durability durability) {
    return inside(
        () -> {
          List<BlindWrite> items = new ArrayList<>(writes.size());
          for (RowWrite write : writes) {
            items.add(new BlindWrite(catalog.table(write.row().table()), write));
          }
          return run(items, durability);
        });
  }

  @Override
  public <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    return inside(
        () -> {
          List<ProcedureItem<A, R>> items = new ArrayList<>(arguments.size());
          long snapshot = 0;
          for (A argument : arguments) {
            List<Row> rows = procedure.rows(argument);
            rows.forEach(row -> catalog.table(row.table()));
            snapshot = Math.max(snapshot, procedure.snapshot(argument));
            items.add(new ProcedureItem<>(procedure, argument, rows));
          }
          clock.awaitSnapshot(snapshot);
          return procedure.readOnly() ? runReadOnly(items) : run(items, durability);
        });
  }

  private <R extends @Nullable Object> List<Outcome<R>> run(
      List<? extends ProcedureCalls.Item<R>> items, Durability durability) {
    Cursors mine = cursors.borrow();
    try {
      return procedures.run(mine, items, durability);
    } finally {
      cursors.giveBack(mine);
    }
  }

  private <A, R> List<Outcome<R>> runReadOnly(List<ProcedureItem<A, R>> items) {
    List<Outcome<R>> outcomes = new ArrayList<>(items.size());
    Cursors mine = cursors.borrow();
    try {
      for (ProcedureItem<A, R> item : items) {
        mine.renew();
        outcomes.add(
            reach.together(item.rows())
                ? item.run(mine, null)
                : Outcome.notExecuted(
                    Outcome.Reason.NOT_TOGETHER,
                    "The rows lie in several tablets: " + item.rows() + "."));
      }
    } finally {
      cursors.giveBack(mine);
    }
    return outcomes;
  }

  @Override
  public boolean together(Collection<Row> rows) {
    return inside(
        () -> {
          rows.forEach(row -> catalog.table(row.table()));
          return reach.together(rows);
        });
  }

  @Override
  public List<Tablet> tablets(String name) {
    return inside(
        () -> {
          Table table = catalog.table(name);
          return table.tablets.tablets(name, table.id);
        });
  }

  @Override
  public void advanceClock(long timestamp) {
    long stamp = gate.enter();
    try {
      clock.advance(timestamp);
    } finally {
      gate.leave(stamp);
    }
  }

  @Override
  public List<TableSchema> tables() {
    return inside(() -> catalog.all().stream().map(Table::schema).toList());
  }

  @Override
  public Optional<TableSchema> table(String name) {
    return inside(() -> Optional.ofNullable(catalog.find(name)).map(Table::schema));
  }

  @Override
  public void ensureTable(TableSchema schema) {
    long stamp = gate.enter();
    try {
      catalog.ensure(schema);
    } finally {
      gate.leave(stamp);
    }
  }

  @Override
  public void dropTable(String name) {
    gate.alone(
        () -> {
          Table table = catalog.find(name);
          if (table != null) {
            catalog.remove(table);
            scans.releaseOf(table);
            cursors.closeAll();
            engine.dropColumnFamilies(table.id);
          }
          return true;
        });
  }

  @Override
  public void splitTablet(String name, Bytes key) {
    long stamp = gate.enter();
    try {
      catalog.cut(
          catalog.table(name), tablets -> tablets.startsAt(key) ? tablets : tablets.split(key));
    } finally {
      gate.leave(stamp);
    }
  }

  @Override
  public long epoch(String table) {
    return inside(() -> catalog.table(table).epoch);
  }

  @Override
  public void raiseEpoch(String name, long epoch) {
    Table raised =
        inside(
            () -> {
              Table table = catalog.table(name);
              catalog.saveEpoch(table, epoch);
              return table;
            });
    gate.alone(
        () -> {
          raised.epoch = Math.max(raised.epoch, epoch);
          return true;
        });
  }

  @Override
  public SortedFileWriter sortedFile(String table, String family, Path file) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void ingest(String table, String family, List<Path> files) {
    throw new UnsupportedOperationException();
  }

  /** Counters since the store was opened. */
  public StoreStats stats() {
    return inside(
        () ->
            new StoreStats(
                engine.tuning.statistics.getTickerCount(TickerType.WAL_FILE_SYNCED),
                counters.batches.sum(),
                counters.gets.sum(),
                counters.seeks.sum(),
                counters.presenceChecks.sum(),
                counters.presenceHits.sum(),
                counters.snapshotReads.sum()));
  }

  /** Writes what is in memory into sorted files. */
  void flush() {
    inside(
        () -> {
          engine.flush();
          return true;
        });
  }

  /** Waits for the calls in flight, then closes; scans that are open end. */
  @Override
  public void close() {
    gate.close(
        () -> {
          scans.releaseAll();
          cursors.closeAll();
          engine.close();
        });
  }

  private <T> T inside(Supplier<T> call) {
    long stamp = gate.enter();
    try {
      return call.get();
    } finally {
      gate.leave(stamp);
    }
  }

  /** A blind write as an item of a call. */
  private record BlindWrite(Table table, RowWrite write) implements ProcedureCalls.Item<Void> {
    BlindWrite {
      for (Cell put : write.puts()) {
        table.family(put.column().family());
      }
      for (RowWrite.Removal removal : write.removals()) {
        table.family(removal.column().family());
      }
    }

    @Override
    public List<Row> rows() {
      return List.of(write.row());
    }

    @Override
    public Outcome<Void> run(Cursors cursors, Batch batch) {
      for (RowWrite.Removal removal : write.removals()) {
        Family family = table.family(removal.column().family());
        batch.delete(family, write.row(), removal.column().qualifier(), removal.version());
      }
      for (Cell put : write.puts()) {
        Family family = table.family(put.column().family());
        batch.put(table, family, write.row(), put.column().qualifier(), put.version(), put.value());
      }
      return Outcome.done();
    }
  }

  /** A run of a procedure as an item of a call. */
  private final class ProcedureItem<A, R> implements ProcedureCalls.Item<R> {
    private final Procedure<A, R> procedure;
    private final A argument;
    private final List<Row> rows;

    ProcedureItem(Procedure<A, R> procedure, A argument, List<Row> rows) {
      this.procedure = procedure;
      this.argument = argument;
      this.rows = rows;
    }

    @Override
    public List<Row> rows() {
      return rows;
    }

    @Override
    public Outcome<R> run(Cursors mine, @Nullable Batch batch) {
      return Outcome.done(
          procedure.run(new ProcedureRun(catalog, cells, clock, mine, rows, batch), argument));
    }
  }
}
