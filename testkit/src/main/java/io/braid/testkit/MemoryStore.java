package io.braid.testkit;

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
import io.braid.core.store.StoreException;
import io.braid.core.store.TableSchema;
import io.braid.core.store.Tablet;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.store.UnknownTableException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory that obeys every law of {@link CellStore}: one monitor around everything, no
 * threads, no clock, no chance. It remembers which writes were synced, so that {@link #crash}
 * leaves what the death of a machine would leave.
 */
public final class MemoryStore implements CellStore {
  /** How far apart the rows of one procedure may lie. */
  public enum Reach {
    TABLET,
    STORE
  }

  private final Reach reach;
  private final Map<String, MemoryTable> tables = new TreeMap<>();
  private final MemoryClock clock = new MemoryClock();

  /** How to undo what was written since the last sync, oldest first. */
  private final List<MemoryAccess.Change> unsynced = new ArrayList<>();

  private long syncs;
  private boolean closed;

  public MemoryStore() {
    this(Reach.STORE);
  }

  public MemoryStore(Reach reach) {
    this.reach = reach;
  }

  @Override
  public synchronized List<RowCells> read(List<RowRead> requests) {
    List<RowCells> answers = new ArrayList<>();
    for (RowRead request : requests) {
      MemoryTable table = existing(request.row().table());
      request.selections().forEach(s -> table.checkFamily(s.family()));
      clock.raise(request.snapshot());
      answers.add(
          new RowCells(request.row(), table.select(request.row().key(), request.selections())));
    }
    return answers;
  }

  @Override
  public synchronized RowScanner scan(ScanRequest request) {
    MemoryTable table = existing(request.table());
    request.selections().forEach(s -> table.checkFamily(s.family()));
    clock.raise(request.snapshot());
    return new Scanner(request);
  }

  /** Reads the next row that has any of the selected cells, from {@code from} on. */
  private synchronized @Nullable RowCells next(
      ScanRequest request, Bytes from, List<Selection> selections) {
    MemoryTable table = existing(request.table());
    clock.raise(request.snapshot());
    for (Bytes key : table.rows.tailMap(from, true).keySet()) {
      if (!request.range().contains(key)) {
        return null;
      }
      List<Cell> cells = table.select(key, selections);
      if (!cells.isEmpty()) {
        return new RowCells(new Row(request.table(), key), cells);
      }
    }
    return null;
  }

  @Override
  public synchronized List<Outcome<Void>> write(List<RowWrite> writes, Durability durability) {
    List<MemoryAccess> all = new ArrayList<>();
    for (RowWrite write : writes) {
      MemoryAccess access = new MemoryAccess(checked(), clock, List.of(write.row()));
      for (RowWrite.Removal removal : write.removals()) {
        access.delete(write.row(), removal.column(), removal.version());
      }
      for (Cell cell : write.puts()) {
        access.put(write.row(), cell.column(), cell.version(), cell.value());
      }
      all.add(access);
    }
    List<Outcome<Void>> outcomes = new ArrayList<>();
    for (MemoryAccess access : all) {
      apply(access.changes, durability);
      outcomes.add(Outcome.done());
    }
    return outcomes;
  }

  @Override
  public synchronized <A, R> List<Outcome<R>> execute(
      Procedure<A, R> procedure, List<A> arguments, Durability durability) {
    for (A argument : arguments) {
      procedure.rows(argument).forEach(row -> existing(row.table()));
    }
    List<Outcome<R>> outcomes = new ArrayList<>();
    for (A argument : arguments) {
      List<Row> rows = procedure.rows(argument);
      if (!together(rows)) {
        outcomes.add(
            Outcome.notExecuted(
                Outcome.Reason.NOT_TOGETHER, "The rows lie in several tablets: " + rows));
        continue;
      }
      clock.raise(procedure.snapshot(argument));
      MemoryAccess access = new MemoryAccess(tables, clock, rows);
      R result = procedure.run(access, argument);
      if (procedure.readOnly() && !access.changes.isEmpty()) {
        throw new StoreException("Procedure " + procedure.name() + " only reads, but wrote.");
      }
      if (!procedure.readOnly()) {
        apply(access.changes, durability);
      }
      outcomes.add(Outcome.done(result));
    }
    return outcomes;
  }

  private void apply(List<MemoryAccess.Change> changes, Durability durability) {
    for (MemoryAccess.Change change : changes) {
      Row row = change.row();
      Bytes before = existing(row.table()).set(row.key(), change.place(), change.value());
      unsynced.add(new MemoryAccess.Change(row, change.place(), before));
    }
    if (durability == Durability.SYNCED) {
      sync();
    }
  }

  private void sync() {
    unsynced.clear();
    syncs++;
  }

  /** How often writes were made durable. */
  public synchronized long syncs() {
    return syncs;
  }

  /**
   * The machine dies and starts again: what was not synced is gone, the last written first, and the
   * tablet clock is cold.
   */
  public synchronized void crash() {
    for (int i = unsynced.size() - 1; i >= 0; i--) {
      MemoryAccess.Change undo = unsynced.get(i);
      MemoryTable table = tables.get(undo.row().table());
      if (table != null) {
        table.set(undo.row().key(), undo.place(), undo.value());
      }
    }
    unsynced.clear();
    clock.cool();
  }

  @Override
  public synchronized boolean together(Collection<Row> rows) {
    if (reach == Reach.STORE) {
      return true;
    }
    return rows.stream()
            .map(row -> new Row(row.table(), existing(row.table()).tabletStart(row.key())))
            .distinct()
            .count()
        <= 1;
  }

  @Override
  public synchronized List<Tablet> tablets(String table) {
    return existing(table).tablets();
  }

  @Override
  public synchronized void advanceClock(long timestamp) {
    checked();
    clock.advance(timestamp);
  }

  @Override
  public synchronized List<TableSchema> tables() {
    return checked().values().stream().map(table -> table.schema).toList();
  }

  @Override
  public synchronized Optional<TableSchema> table(String name) {
    return Optional.ofNullable(checked().get(name)).map(table -> table.schema);
  }

  @Override
  public synchronized void ensureTable(TableSchema schema) {
    MemoryTable table = checked().get(schema.name());
    if (table == null) {
      tables.put(schema.name(), new MemoryTable(schema));
    } else {
      table.schema = table.schema.merge(schema);
    }
  }

  @Override
  public synchronized void dropTable(String name) {
    checked().remove(name);
  }

  @Override
  public synchronized void splitTablet(String table, Bytes key) {
    existing(table).split(key);
  }

  @Override
  public synchronized long epoch(String table) {
    return existing(table).epoch;
  }

  @Override
  public synchronized void raiseEpoch(String table, long epoch) {
    MemoryTable raised = existing(table);
    raised.epoch = Math.max(raised.epoch, epoch);
  }

  @Override
  public SortedFileWriter sortedFile(String table, String family, Path file) {
    throw new StoreException("not yet");
  }

  @Override
  public void ingest(String table, String family, List<Path> files) {
    throw new StoreException("not yet");
  }

  @Override
  public synchronized void close() {
    closed = true;
  }

  private Map<String, MemoryTable> checked() {
    if (closed) {
      throw new TabletUnavailableException("The store is closed.");
    }
    return tables;
  }

  private MemoryTable existing(String name) {
    MemoryTable table = checked().get(name);
    if (table == null) {
      throw new UnknownTableException("There is no table " + name + "; create it first.");
    }
    return table;
  }

  private final class Scanner implements RowScanner {
    private final ScanRequest request;
    private Bytes from;
    private boolean ended;

    Scanner(ScanRequest request) {
      this.request = request;
      this.from = request.range().start();
    }

    @Override
    public @Nullable RowCells next() {
      if (ended) {
        return null;
      }
      RowCells row = MemoryStore.this.next(request, from, request.selections());
      if (row == null) {
        ended = true;
      } else {
        from = row.row().key().successor();
      }
      return row;
    }

    @Override
    public void close() {
      ended = true;
    }
  }
}
