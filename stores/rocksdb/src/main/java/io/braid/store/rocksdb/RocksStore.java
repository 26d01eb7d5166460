package io.braid.store.rocksdb;

import io.braid.core.data.Bytes;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.failure.ErrorCode;
import io.braid.core.runtime.UninterruptedWork;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Lift;
import io.braid.core.store.LiftCheck;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.SortedFileWriter;
import io.braid.core.store.StoreException;
import io.braid.core.store.TableSchema;
import io.braid.core.store.Tablet;
import io.braid.core.store.Veils;
import io.braid.store.rocksdb.concurrency.StoreClock;
import io.braid.store.rocksdb.engine.Checkpoints;
import io.braid.store.rocksdb.engine.Engine;
import io.braid.store.rocksdb.engine.Health;
import io.braid.store.rocksdb.engine.StoreDirectory;
import io.braid.store.rocksdb.engine.Tuning;
import io.braid.store.rocksdb.reads.Counters;
import io.braid.store.rocksdb.reads.Cursors;
import io.braid.store.rocksdb.reads.TableScan;
import io.braid.store.rocksdb.tables.Family;
import io.braid.store.rocksdb.tables.Table;
import io.braid.store.rocksdb.writes.BlindWrite;
import io.braid.store.rocksdb.writes.ProcedureRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The embedded store: tables in a directory, over RocksDB, in the process of its user. One process
 * opens a directory at a time. See {@link CellStore} for what the methods promise.
 *
 * <p>A call passes the {@code Gate}, waits for its snapshot at the {@code StoreClock}, and then
 * reads ({@code RowReads}, {@code TableScan}) or locks its rows and writes ({@code
 * ProcedureCalls}). Calls that change tables run one at a time. Flushing, compacting and copying
 * take long and stay outside the gate: the gate lets a call run alone only when all others have
 * left, and lets no other call in meanwhile.
 */
public final class RocksStore implements CellStore {
  private static final Logger LOG = LoggerFactory.getLogger(RocksStore.class);

  private final StoreDirectory directory;
  private final RocksOptions options;
  private final StoreClock clock = new StoreClock();
  private final Health health;
  private final Counters counters = new Counters();
  private final Pauses pauses = new Pauses();
  private final Maintenance maintenance;
  private final OpenDatabase open;
  private final StoreVeils veils;
  private final RecentWrites writes;

  private RocksStore(StoreDirectory directory, RocksOptions options) {
    this.directory = directory;
    this.options = options;
    health = new Health(directory);
    open = new OpenDatabase(this::openDatabase);
    veils = new StoreVeils(open, clock, pauses);
    writes = new RecentWrites(open);
    maintenance = new Maintenance(this::maintain);
    directory.owner().whenLost(() -> lose(directory.owner().whyNot()));
  }

  /** Whether a directory holds a store; it may be damaged, or open in another process. */
  public static boolean isIn(Path directory) {
    return StoreDirectory.holdsStore(directory);
  }

  /**
   * Opens a directory, and creates it when it is not there.
   *
   * @throws StoreException {@code LOCKED} when another process has it open
   * @throws StoreException when it holds something else, was written by a newer version, or is
   *     damaged
   */
  public static RocksStore open(Path directory, RocksOptions options) {
    return UninterruptedWork.get(() -> openHere(directory, options));
  }

  private static RocksStore openHere(Path directory, RocksOptions options) {
    StoreDirectory owned = StoreDirectory.open(directory);
    try {
      return new RocksStore(owned, options);
    } catch (RuntimeException e) {
      owned.close();
      throw e;
    }
  }

  private void lose(String why) {
    LOG.error(
        "{} Find out how two processes came to one directory, before it is written again.", why);
    open.abandon(why);
  }

  /**
   * Refuses when another process has taken the directory; for those who write beside the store,
   * into the same directory.
   *
   * @throws StoreException {@code LOCKED} when it has
   */
  public void requireOwned() {
    Health.Refusal taken = health.taken();
    if (taken != null) {
      throw new StoreException(ErrorCode.LOCKED, taken.reason());
    }
  }

  private Database openDatabase() {
    Engine engine = Engine.open(directory.database(), options.memoryBytes(), options.statistics());
    try {
      return new Database(engine, options, clock, health, counters);
    } catch (RuntimeException e) {
      engine.close();
      throw e;
    }
  }

  @Override
  public List<RowCells> read(List<RowRead> requests) {
    return open.inside(
        db -> {
          List<Table> tables = new ArrayList<>(requests.size());
          long snapshot = 0;
          for (RowRead request : requests) {
            Table table = db.catalog.table(request.row().table());
            checkFamilies(table, request.selections());
            table.checkSnapshot(request.snapshot());
            tables.add(table);
            snapshot = Math.max(snapshot, request.snapshot());
          }
          clock.awaitSnapshot(
              snapshot, () -> requests.stream().anyMatch(each -> db.locks.isLocked(each.row())));
          return db.cursors.lend(cursors -> db.reads.read(cursors, requests, tables));
        });
  }

  @Override
  public RowScanner scan(ScanRequest request) {
    return open.inside(
        db -> {
          Table table = db.catalog.table(request.table());
          checkFamilies(table, request.selections());
          table.checkSnapshot(request.snapshot());
          clock.awaitSnapshot(request.snapshot());
          return new TableScan(db.engine, open.gate(), counters, db.scans, table, request);
        });
  }

  private static void checkFamilies(Table table, List<Selection> selections) {
    for (Selection selection : selections) {
      table.family(selection.family());
    }
  }

  @Override
  public List<Outcome<Void>> write(List<RowWrite> writes, Durability durability) {
    return open.inside(
        db -> {
          List<BlindWrite> items = new ArrayList<>(writes.size());
          for (RowWrite write : writes) {
            items.add(new BlindWrite(db.catalog.table(write.row().table()), write));
          }
          return db.cursors.lend(cursors -> db.procedures.run(cursors, items, durability));
        });
  }

  @Override
  public <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    return open.inside(
        db -> {
          List<ProcedureRun<A, R>> items = new ArrayList<>(arguments.size());
          long snapshot = 0;
          boolean alone = false;
          for (A argument : arguments) {
            items.add(db.procedures.item(procedure, argument));
            snapshot = Math.max(snapshot, procedure.snapshot(argument));
            alone |= procedure.excludesOthers(argument);
          }
          boolean locked = alone;
          clock.awaitSnapshot(
              snapshot, () -> items.stream().anyMatch(each -> db.locks.isAnyLocked(each.rows())));
          return db.cursors.lend(
              cursors ->
                  locked
                      ? db.procedures.run(cursors, items, durability)
                      : db.procedures.runReadOnly(cursors, items));
        });
  }

  @Override
  public <A, R> Outcome<R> execute(Procedure<A, R> procedure, A argument, Durability durability) {
    long stamp = open.gate().enter();
    try {
      Database db = open.current();
      ProcedureRun<A, R> item = db.procedures.item(procedure, argument);
      clock.awaitSnapshot(procedure.snapshot(argument), () -> db.locks.isAnyLocked(item.rows()));
      Cursors cursors = db.cursors.borrow();
      try {
        return procedure.excludesOthers(argument)
            ? db.procedures.run(cursors, item, durability)
            : db.procedures.runReadOnly(cursors, item);
      } finally {
        db.cursors.giveBack(cursors);
      }
    } finally {
      open.gate().leave(stamp);
    }
  }

  /** Calls come from the same process, without messages in between. */
  @Override
  public boolean resends() {
    return false;
  }

  @Override
  public boolean together(Collection<Row> rows) {
    return open.inside(
        db -> {
          rows.forEach(row -> db.catalog.table(row.table()));
          return db.reach.together(rows);
        });
  }

  @Override
  public List<Tablet> tablets(String name) {
    return open.inside(db -> db.catalog.table(name).tablets());
  }

  @Override
  public void advanceClock(long timestamp) {
    open.change(db -> clock.advance(timestamp));
  }

  @Override
  public List<TableSchema> tables() {
    return open.inside(db -> db.catalog.all().stream().map(Table::schema).toList());
  }

  @Override
  public Optional<TableSchema> table(String name) {
    return open.inside(db -> Optional.ofNullable(db.catalog.find(name)).map(Table::schema));
  }

  @Override
  public void ensureTable(TableSchema schema, LongSupplier birth) {
    boolean done = false;
    while (!done) {
      long drops = open.inside(db -> db.catalog.drops());
      long drawn = table(schema.name()).isPresent() ? 0 : birth.getAsLong();
      done = open.inside(db -> db.catalog.ensure(schema, drops, drawn));
    }
  }

  @Override
  public void dropTable(String name) {
    open.afterLongWork(
        db -> {
          Table table = db.catalog.find(name);
          if (table != null) {
            db.drop(table);
          }
        });
  }

  @Override
  public void splitTablet(String name, Bytes key) {
    open.change(db -> db.catalog.split(name, key));
  }

  @Override
  public long epoch(String table) {
    return open.inside(db -> db.catalog.table(table).epoch);
  }

  @Override
  public long birth(String table) {
    return open.inside(db -> db.catalog.table(table).birth);
  }

  @Override
  public void raiseEpoch(String name, long epoch) {
    open.change(db -> db.catalog.saveEpoch(db.catalog.table(name), epoch));
    open.alone(
        db -> {
          Table table = db.catalog.find(name);
          if (table != null) {
            table.epoch = Math.max(table.epoch, epoch);
          }
        });
  }

  @Override
  public long watermark() {
    return open.inside(db -> db.catalog.watermark());
  }

  @Override
  public void raiseWatermark(long timestamp) {
    open.change(db -> db.catalog.saveWatermark(timestamp));
    open.alone(db -> db.catalog.showWatermark());
  }

  @Override
  public void rememberWrites(String name, LongSupplier fresh) {
    writes.remember(name, fresh);
  }

  @Override
  public void forgetWrites(String name) {
    writes.forget(name);
  }

  @Override
  public Optional<Set<Bytes>> rowsWritten(String name, long from, long to) {
    return writes.between(name, from, to);
  }

  @Override
  public void reclaim(String name, KeyRange range) {
    takingLong(
        db -> {
          Table table = db.catalog.find(name);
          if (table != null) {
            db.engine.compact(table.handles(), range);
          }
        });
  }

  @Override
  public SortedFileWriter sortedFile(String table, String family, Path file) {
    return open.inside(
        db -> {
          Family of = db.catalog.table(table).family(family);
          return new SortedFile(table, of.schema(), file, Tuning.sortedFile(of.kind));
        });
  }

  @Override
  public void ingest(String name, String family, List<Path> files) {
    requireOwned();
    new FileTakeover(open, clock, pauses).run(name, family, files);
  }

  @Override
  public boolean hasVeils() {
    return true;
  }

  @Override
  public void veil(String name, long version, boolean wins) {
    veils.veil(name, version, wins);
  }

  @Override
  public Lift lift(
      String name, long version, long start, long epoch, String family, LiftCheck check) {
    return veils.lift(name, version, start, epoch, family, check);
  }

  @Override
  public Optional<String> refusesWrites() {
    return Optional.ofNullable(health.refusal()).map(Health.Refusal::reason);
  }

  @Override
  public long takeLongestPause() {
    return pauses.take();
  }

  @Override
  public boolean discard(String name, long version) {
    return veils.discard(name, version);
  }

  @Override
  public Veils veils(String table) {
    return veils.all(table);
  }

  /** Counters since the store was opened. */
  public StoreStats stats() {
    return open.inside(db -> StoreStats.of(db.engine, counters));
  }

  /**
   * Makes a folder with all files of the store as they are now, the large ones as links; writers go
   * on. The folder opens as a store does after a crash at this moment. The caller deletes the
   * folder. The next process removes here the folders that a process left when it died.
   */
  public Path checkpoint() {
    return open.besideAll(db -> Checkpoints.make(db.engine, directory.path()));
  }

  /** Writes what is in memory into sorted files. */
  void flush() {
    takingLong(db -> db.engine.flush());
  }

  /** Writes what is in memory into sorted files and these into their last places. */
  public void compact() {
    takingLong(db -> db.engine.compact());
  }

  /** Splits tablets that are too large, without waiting for the next turn. */
  void splitLarge() {
    open.change(Database::splitLarge);
  }

  /** Once a second; also callable out of turn. */
  void maintain() {
    if (open.gate().isClosed() || health.taken() != null) {
      return;
    }
    Health.Refusal refusal = health.refusal();
    if (refusal != null && refusal.passing() && directory.hasRoom()) {
      recover();
    }
    open.change(Database::maintain);
  }

  /**
   * Opens the data again after the disk was full. The log decides which of the writes with unknown
   * outcome happened.
   */
  private void recover() {
    open.reopen(
        () -> {
          clock.unstick();
          health.recovered();
        });
  }

  /** Waits for the calls in flight, then closes; scans that are open end. */
  @Override
  public void close() {
    UninterruptedWork.get(this::closeHere);
  }

  private boolean closeHere() {
    boolean first = open.close(db -> db.flushLargeLog(health));
    if (first) {
      maintenance.close();
      directory.close();
    }
    return first;
  }

  /** Runs beside all calls, those that want to be alone too; tables are dropped after it. */
  void takingLong(Consumer<Database> work) {
    open.takingLong(work);
  }
}
