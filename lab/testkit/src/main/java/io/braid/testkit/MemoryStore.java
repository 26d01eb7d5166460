package io.braid.testkit;

import io.braid.core.data.Bytes;
import io.braid.core.data.Row;
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
import io.braid.core.store.SortedFileWriter;
import io.braid.core.store.StoreException;
import io.braid.core.store.TableSchema;
import io.braid.core.store.Tablet;
import io.braid.core.store.TabletClock;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.store.Veils;
import io.braid.testkit.MemoryAccess.Change;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apiguardian.api.API;

/**
 * A store in memory that obeys every law of {@link CellStore}: one monitor around everything, no
 * threads, no clock, no chance.
 *
 * <pre>{@code
 * try (Braid db = Braid.over(new MemoryStore(), BraidConfig.defaults())) {
 *   db.ensureTable("people", "info");
 * }
 * }</pre>
 *
 * <p>It can die. {@link #restart} is the death of the process: all data stays, the tablet clocks
 * are cold, open scans end. {@link #crash} is the death of the machine: what was not synced is lost
 * too, as a tail of the log. Tables, tablets and epochs are synced whenever they change, cells only
 * when a write asks for it.
 */
@API(status = API.Status.EXPERIMENTAL)
public final class MemoryStore implements CellStore {
  /** How far apart the rows of one procedure may lie. */
  public enum Reach {
    /** Within a tablet; each tablet has a clock of its own. */
    TABLET,
    /** Anywhere; all tablets share one clock. */
    STORE
  }

  private static final int CLOSING_CALLS = 50;

  private final MemoryTables tables;
  private final MemoryLog log;
  private long incarnation;
  private boolean closed;

  /** As {@link MemoryOptions#defaults} say. */
  public MemoryStore() {
    this(MemoryOptions.defaults());
  }

  public MemoryStore(Reach reach) {
    this(MemoryOptions.defaults().reach(reach));
  }

  public MemoryStore(MemoryOptions options) {
    tables = new MemoryTables(options);
    log = new MemoryLog(options.logged());
  }

  @Override
  public synchronized List<RowCells> read(List<RowRead> requests) {
    open();
    for (RowRead request : requests) {
      MemoryTable table = tables.table(request.row());
      table.checkFamilies(request.selections());
      table.checkSnapshot(request.snapshot());
    }
    List<RowCells> answers = new ArrayList<>(requests.size());
    for (RowRead request : requests) {
      Row row = request.row();
      tables.clock(row).raise(request.snapshot());
      answers.add(new RowCells(row, tables.table(row).select(row.key(), request.selections())));
    }
    return answers;
  }

  @Override
  public synchronized RowScanner scan(ScanRequest request) {
    MemoryTable table = open().table(request.table());
    table.checkFamilies(request.selections());
    table.checkSnapshot(request.snapshot());
    table.raiseClocks(request.range(), request.snapshot());
    long begun = incarnation;
    return new MemoryScan(
        request.range().start(), (from, most) -> next(begun, table, request, from, most));
  }

  private synchronized List<RowCells> next(
      long begun, MemoryTable table, ScanRequest request, Bytes from, int most) {
    open();
    if (begun != incarnation || tables.find(request.table()).orElse(null) != table) {
      throw new TabletUnavailableException(
          "The store died or the table went while it was scanned. Open the scan again.");
    }
    table.raiseClocks(request.range(), request.snapshot());
    return table.next(from, request.range(), request.selections(), most);
  }

  @Override
  public synchronized List<Outcome<Void>> write(List<RowWrite> writes, Durability durability) {
    open();
    List<MemoryAccess> checked = new ArrayList<>(writes.size());
    for (RowWrite write : writes) {
      checked.add(MemoryAccess.of(tables, write));
    }
    List<Outcome<Void>> outcomes = new ArrayList<>(writes.size());
    for (MemoryAccess access : checked) {
      log.apply(tables, access.changes());
      outcomes.add(Outcome.done());
    }
    syncAfter(checked, durability);
    return outcomes;
  }

  @Override
  public synchronized <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    open();
    for (A argument : arguments) {
      long snapshot = procedure.snapshot(argument);
      procedure.rows(argument).forEach(row -> tables.table(row).checkSnapshot(snapshot));
    }
    List<MemoryAccess> applied = new ArrayList<>(arguments.size());
    List<Outcome<R>> outcomes = new ArrayList<>(arguments.size());
    for (A argument : arguments) {
      outcomes.add(run(procedure, argument, applied));
    }
    syncAfter(applied, durability);
    return outcomes;
  }

  private <A, R> Outcome<R> run(Procedure<A, R> procedure, A argument, List<MemoryAccess> applied) {
    List<Row> rows = procedure.rows(argument);
    if (!tables.together(rows)) {
      return Outcome.notExecuted(
          Outcome.Reason.NOT_TOGETHER, "The rows lie in several tablets: " + rows);
    }
    rows.forEach(row -> tables.clock(row).raise(procedure.snapshot(argument)));
    MemoryAccess access =
        new MemoryAccess(tables, rows, procedure.readOnly(), procedure.highest(argument));
    R result = procedure.run(access, argument);
    log.apply(tables, access.changes());
    applied.add(access);
    return Outcome.done(result);
  }

  private void syncAfter(List<MemoryAccess> applied, Durability durability) {
    if (durability == Durability.SYNCED
        && applied.stream().anyMatch(access -> !access.changes().isEmpty())) {
      log.sync();
    }
  }

  @Override
  public synchronized boolean together(Collection<Row> rows) {
    return open().together(rows);
  }

  @Override
  public synchronized List<Tablet> tablets(String table) {
    return open().table(table).tablets();
  }

  @Override
  public synchronized void advanceClock(long timestamp) {
    open().advanceClocks(timestamp);
  }

  @Override
  public synchronized List<TableSchema> tables() {
    return open().all().stream().map(table -> table.schema).toList();
  }

  @Override
  public synchronized Optional<TableSchema> table(String name) {
    return open().find(name).map(table -> table.schema);
  }

  @Override
  public void ensureTable(TableSchema schema, LongSupplier birth) {
    boolean done = false;
    while (!done) {
      long drops = drops();
      done = ensure(schema, drops, table(schema.name()).isPresent() ? 0 : birth.getAsLong());
    }
  }

  private synchronized long drops() {
    return open().drops();
  }

  /**
   * @return false when a table was dropped since so many were, perhaps this one after the birth was
   *     drawn
   */
  private synchronized boolean ensure(TableSchema schema, long drops, long birth) {
    boolean same = open().drops() == drops;
    if (same) {
      tables.ensure(schema, birth);
    }
    return same;
  }

  @Override
  public synchronized void dropTable(String name) {
    open().drop(name);
  }

  @Override
  public synchronized void splitTablet(String table, Bytes key) {
    open().split(table, key);
  }

  /**
   * Makes the tablet that begins at {@code key} a part of the one before it. The clock of that one
   * is then above all that either has served.
   */
  public synchronized void mergeTablet(String table, Bytes key) {
    open().table(table).merge(key);
  }

  /**
   * Moves the tablet that holds {@code key} to a server that knows nothing of what it served: its
   * clock is cold. Does nothing with the reach of the store, which is one server.
   */
  public synchronized void moveTablet(String table, Bytes key) {
    open().move(table, key);
  }

  @Override
  public synchronized long epoch(String table) {
    return open().table(table).epoch;
  }

  @Override
  public synchronized long birth(String table) {
    return open().table(table).birth;
  }

  @Override
  public synchronized void raiseEpoch(String table, long epoch) {
    MemoryTable raised = open().table(table);
    raised.epoch = Math.max(raised.epoch, epoch);
  }

  @Override
  public synchronized long watermark() {
    return open().watermark();
  }

  @Override
  public synchronized void raiseWatermark(long timestamp) {
    open().raiseWatermark(timestamp);
  }

  @Override
  public synchronized SortedFileWriter sortedFile(String table, String family, Path file) {
    open().table(table).checkFamily(family);
    return new SortedCellsWriter(table, family, file);
  }

  @Override
  public synchronized void ingest(String table, String family, List<Path> files) {
    open().table(table).checkFamily(family);
    List<Change> changes = new ArrayList<>();
    for (Path file : files) {
      changes.addAll(SortedCells.read(file, table, family));
    }
    changes.forEach(change -> tables.clock(change.row()).raise(change.place().version()));
    log.apply(tables, changes);
    log.sync();
    files.forEach(MemoryStore::remove);
  }

  @Override
  public boolean hasVeils() {
    return true;
  }

  @Override
  public synchronized void veil(String table, long version, boolean wins) {
    MemoryTable veiled = open().table(table);
    veiled.checkSnapshot(version);
    veiled.veils = veiled.veils.with(veiled.veils.of(version, wins));
  }

  @Override
  public synchronized Lift lift(
      String name, long version, long start, long epoch, String family, LiftCheck check) {
    MemoryTable table = open().table(name);
    Veils.Veil veil = table.veils.require(version, tables.watermark());
    if (veil.isLifted()) {
      return Lift.at(veil.commit());
    }
    if (table.epoch != epoch) {
      return Lift.STALE;
    }
    List<Row> blocked = table.blocked(version, family, check);
    table.close(blocked.isEmpty() ? 0 : CLOSING_CALLS);
    if (!blocked.isEmpty()) {
      return Lift.blockedBy(blocked);
    }
    long commit = table.drawEverywhere(start);
    if (commit == TabletClock.EXHAUSTED) {
      return Lift.EXHAUSTED;
    }
    // The cells under the veil were synced when they came; from now on, no crash may lose them.
    log.sync();
    table.veils = table.veils.with(new Veils.Veil(version, commit, veil.wins()));
    return Lift.at(commit);
  }

  @Override
  public synchronized boolean discard(String name, long version) {
    MemoryTable table = open().table(name);
    Veils.Veil veil = table.veils.of(version, false);
    if (veil.isLifted()) {
      return false;
    }
    table.veils = table.veils.with(new Veils.Veil(version, 0, veil.wins()));
    return true;
  }

  @Override
  public synchronized Veils veils(String table) {
    return open().table(table).veils;
  }

  private static void remove(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new StoreException(
          "Sorted file " + file + " was taken over but cannot be removed; remove it.", e);
    }
  }

  /**
   * Everything that decides what the store answers from now on, besides its log: two stores that
   * are described alike behave alike.
   */
  public synchronized String describe() {
    return tables.describe();
  }

  /** How often cells were made durable: once for each call that asked for it and wrote. */
  public synchronized long syncs() {
    return log.syncs();
  }

  /** How many writes a crash would lose now; 0 without a log. */
  public synchronized int unsyncedWrites() {
    return log.unsynced();
  }

  /** The machine dies and starts again, and everything that was not synced is lost. */
  public synchronized void crash() {
    crash(0);
  }

  /**
   * The machine dies and starts again. Of the writes that were not synced only the first {@code
   * survivors} had reached the disk; at most {@link #unsyncedWrites}.
   */
  public synchronized void crash(int survivors) {
    log.crash(survivors);
    restart();
  }

  /** The process dies, or the store was closed, and it starts again with everything written. */
  public synchronized void restart() {
    tables.resetClocks();
    incarnation++;
    closed = false;
  }

  @Override
  public synchronized void close() {
    closed = true;
  }

  private MemoryTables open() {
    if (closed) {
      throw new TabletUnavailableException("The store is closed. Open it again.");
    }
    return tables;
  }
}
