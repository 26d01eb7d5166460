package io.braid.store.rocksdb.reads;

import static io.braid.store.rocksdb.tables.PresenceFilter.NO_SILENCE;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.Row;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.TabletUnavailableException;
import io.braid.store.rocksdb.concurrency.Gate;
import io.braid.store.rocksdb.engine.Engine;
import io.braid.store.rocksdb.engine.Keys;
import io.braid.store.rocksdb.tables.Family;
import io.braid.store.rocksdb.tables.PresenceFilter;
import io.braid.store.rocksdb.tables.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;

/**
 * A scan: one iterator for each family, all on one snapshot of RocksDB, merged row by row. The
 * whole scan sees the store as it was at one instant.
 *
 * <p>The native objects go when the scan is closed, or when the store or the table goes before; a
 * call to the scan passes the gate, so that it meets either all of them or none.
 */
public final class TableScan implements RowScanner {
  /** So many rows are read before a call that wants the store alone is let in. */
  private static final int ROWS_AT_ONCE = 64;

  private static final int LARGEST_LIST = 1024;

  private final Engine engine;
  private final Gate gate;
  private final Counters counters;
  private final OpenScans open;
  final Table table;
  private final Snapshot snapshot;
  private final ReadOptions options;
  private final @Nullable Slice end;
  private final List<RocksIterator> iterators = new ArrayList<>();
  private final List<FamilyWalk> walks = new ArrayList<>();
  private final List<Cell> cells = new ArrayList<>();
  private volatile boolean released;

  /** To be called within the gate. */
  public TableScan(
      Engine engine,
      Gate gate,
      Counters counters,
      OpenScans open,
      Table table,
      ScanRequest request) {
    this.engine = engine;
    this.gate = gate;
    this.counters = counters;
    this.open = open;
    this.table = table;
    Bytes last = request.range().end();
    this.end = last == null ? null : new Slice(Keys.row(last));
    Map<String, List<Selection>> families = byFamily(request.selections());
    Map<Family, Long> silences = silences(families.keySet());
    this.snapshot = engine.db.getSnapshot();
    this.options = new ReadOptions().setSnapshot(snapshot);
    if (end != null) {
      options.setIterateUpperBound(end);
    }
    byte[] start = Keys.row(request.range().start());
    try {
      families.forEach(
          (name, selections) -> {
            Family family = table.family(name);
            PresenceFilter filter = family.filter;
            if (filter == null || !filter.lasted(silences.getOrDefault(family, NO_SILENCE))) {
              walk(family, start, selections);
            }
          });
    } catch (RuntimeException | Error e) {
      release();
      throw e;
    }
    open.add(this);
  }

  /** Sparse families that have no cells: as long as none is added, they need not be walked. */
  private Map<Family, Long> silences(Set<String> families) {
    Map<Family, Long> silences = new IdentityHashMap<>();
    for (String name : families) {
      Family family = table.family(name);
      if (family.filter != null) {
        silences.put(family, family.filter.silence());
      }
    }
    return silences;
  }

  private static Map<String, List<Selection>> byFamily(List<Selection> selections) {
    Map<String, List<Selection>> families = new TreeMap<>();
    for (Selection selection : selections) {
      families.computeIfAbsent(selection.family(), f -> new ArrayList<>()).add(selection);
    }
    return families;
  }

  private void walk(Family family, byte[] start, List<Selection> selections) {
    RocksIterator iterator = engine.db.newIterator(family.handle, options);
    iterators.add(iterator);
    counters.seeks.increment();
    iterator.seek(start);
    FamilyWalk walk = new FamilyWalk(family, iterator, selections);
    walk.start();
    walks.add(walk);
  }

  @Override
  public @Nullable RowCells next() {
    long stamp = gate.enter();
    try {
      requireOpen();
      return nextRow();
    } finally {
      gate.leave(stamp);
    }
  }

  @Override
  public List<RowCells> nextRows(int most) {
    List<RowCells> rows = new ArrayList<>(Math.min(most, LARGEST_LIST));
    RowCells row = null;
    long bytes = 0;
    do {
      long stamp = gate.enter();
      try {
        requireOpen();
        int end = Math.min(most, rows.size() + ROWS_AT_ONCE);
        do {
          row = nextRow();
          bytes += row == null ? 0 : row.bytes();
        } while (row != null && rows.add(row) && rows.size() < end && bytes < LIST_BYTES);
      } finally {
        gate.leave(stamp);
      }
    } while (row != null && rows.size() < most && bytes < LIST_BYTES);
    return rows;
  }

  private void requireOpen() {
    if (released) {
      throw new TabletUnavailableException("The scan is closed, or its table is gone.");
    }
  }

  private @Nullable RowCells nextRow() {
    cells.clear();
    while (true) {
      byte[] first = firstKey();
      if (first == null) {
        return null;
      }
      int rowLength = Keys.fieldEnd(first, 0);
      for (FamilyWalk walk : walks) {
        byte[] key = walk.key();
        if (key != null
            && (key == first
                || Arrays.equals(key, 0, Math.min(rowLength, key.length), first, 0, rowLength))) {
          walk.row(rowLength, cells);
        }
      }
      if (!cells.isEmpty()) {
        List<Cell> found = cells.size() == 1 ? List.of(cells.get(0)) : List.copyOf(cells);
        return new RowCells(new Row(table.name, Keys.field(first, 0, rowLength)), found);
      }
    }
  }

  private byte @Nullable [] firstKey() {
    byte[] first = null;
    for (FamilyWalk walk : walks) {
      byte[] key = walk.key();
      if (key != null && (first == null || Arrays.compareUnsigned(key, first) < 0)) {
        first = key;
      }
    }
    return first;
  }

  @Override
  public void close() {
    if (released) {
      return;
    }
    long stamp = gate.enterAlways();
    try {
      release();
    } finally {
      gate.leave(stamp);
    }
  }

  /** Lets the native objects go. To be called within the gate. */
  synchronized void release() {
    if (released) {
      return;
    }
    released = true;
    open.remove(this);
    walks.forEach(walk -> counters.seeks.add(walk.seeks));
    iterators.forEach(RocksIterator::close);
    options.close();
    if (end != null) {
      end.close();
    }
    engine.db.releaseSnapshot(snapshot);
  }
}
