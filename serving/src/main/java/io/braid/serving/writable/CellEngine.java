package io.braid.serving.writable;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.Procedure;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.core.store.TableSchema;
import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a store in a table of a {@link CellStore}: a row for each key, its siblings in one cell,
 * changed by procedures.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class CellEngine implements Engine {
  static final ColumnName SIBLINGS = ColumnName.of("s", "siblings");

  /** The number of tuples that are read at a time while a page is not full. */
  private static final int ROWS = 16;

  private final CellStore cells;
  private final TableSchema schema;

  /**
   * @param table is created when there is none
   */
  public CellEngine(CellStore cells, String table) {
    this.cells = cells;
    this.schema =
        new TableSchema(
            table, List.of(new TableSchema.FamilySchema(SIBLINGS.family(), TableSchema.Kind.DATA)));
    cells.ensureTable(schema);
  }

  @Override
  public List<VersionedValue> get(Bytes key) {
    return siblings(cells.read(RowRead.of(row(key), Selection.column(SIBLINGS).newest(1))));
  }

  private Row row(Bytes key) {
    return new Row(schema.name(), key);
  }

  private static List<VersionedValue> siblings(RowCells row) {
    List<Cell> found = row.cells();
    return found.isEmpty()
        ? List.of()
        : VersionedValue.decodeAll(new Decoder(found.get(0).value()));
  }

  @Override
  public boolean put(Bytes key, VersionedValue fresh) {
    return run(PutVersion.INSTANCE, new PutVersion.Put(row(key), fresh, PutVersion.NOBODY));
  }

  @Override
  public boolean putFirst(Bytes key, VersionedValue fresh, int master) {
    return run(PutVersion.INSTANCE, new PutVersion.Put(row(key), fresh, master));
  }

  @Override
  public void putAll(List<Entry> fresh) {
    List<PutVersion.Put> puts = new ArrayList<>();
    for (Entry entry : fresh) {
      Row row = row(entry.key());
      entry.siblings().forEach(v -> puts.add(new PutVersion.Put(row, v, PutVersion.NOBODY)));
    }
    runAll(PutVersion.INSTANCE, puts);
  }

  private <A> void runAll(Procedure<A, Boolean> procedure, List<A> arguments) {
    for (Outcome<Boolean> outcome : cells.execute(procedure, arguments, Durability.SYNCED)) {
      if (!(outcome instanceof Outcome.Done)) {
        throw new StoreException("A tuple could not be written: " + outcome);
      }
    }
  }

  @Override
  public void remove(Bytes key, List<VersionedValue> gone) {
    run(RemoveVersions.INSTANCE, new RemoveVersions.Removal(row(key), gone));
  }

  @Override
  public void removeAll(List<Entry> gone) {
    List<RemoveVersions.Removal> removals = new ArrayList<>();
    gone.forEach(e -> removals.add(new RemoveVersions.Removal(row(e.key()), e.siblings())));
    runAll(RemoveVersions.INSTANCE, removals);
  }

  private <A> boolean run(Procedure<A, Boolean> procedure, A argument) {
    Outcome<Boolean> outcome = cells.execute(procedure, argument, Durability.SYNCED);
    if (outcome instanceof Outcome.Done<Boolean> done) {
      return done.result();
    }
    throw new StoreException("A tuple could not be written: " + outcome);
  }

  @Override
  public List<Entry> entries(@Nullable Bytes after, int most) {
    KeyRange range = after == null ? KeyRange.ALL : new KeyRange(after.successor(), null);
    List<Entry> entries = new ArrayList<>();
    ScanRequest request =
        ScanRequest.of(schema.name(), range, Selection.column(SIBLINGS).newest(1));
    long bytes = 0;
    try (RowScanner scanner = cells.scan(request)) {
      while (entries.size() < most && bytes < PAGE_BYTES) {
        List<RowCells> rows = scanner.nextRows(Math.min(ROWS, most - entries.size()));
        if (rows.isEmpty()) {
          break;
        }
        for (RowCells row : rows) {
          Entry entry = new Entry(row.row().key(), siblings(row));
          entries.add(entry);
          bytes += entry.bytes();
        }
      }
    }
    return entries;
  }

  @Override
  public void truncate() {
    cells.dropTable(schema.name());
    cells.ensureTable(schema);
  }
}
