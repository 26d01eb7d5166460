package io.braid;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.runtime.Seams;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowRead;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import io.braid.core.store.TabletUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which tables are bound to Omid, as rows {@code table/NAME} of Braid's own table; all others are
 * bound to Percolator.
 *
 * <p>Where several processes share the database each remembers what it has read. Therefore a name
 * keeps its protocol there for good, and stands in a row whatever it is, even when the table is
 * dropped.
 */
final class TableBindings {
  private static final Bytes PREFIX = Bytes.of("table/");
  private static final ColumnName COLUMN = ColumnName.of(Families.SYSTEM, "protocol");
  private static final long VERSION = 1;

  private final CellStore store;
  private static final Duration PAUSE = Duration.ofMillis(5);

  private final Map<String, Protocol> bound = new ConcurrentHashMap<>();
  private final Set<String> held = ConcurrentHashMap.newKeySet();
  private final Seams seams;
  private final boolean shared;

  TableBindings(CellStore store, Seams seams, boolean shared) {
    this.store = store;
    this.seams = seams;
    this.shared = shared;
    ScanRequest request =
        ScanRequest.of(Families.SYSTEM_TABLE, KeyRange.prefix(PREFIX), Selection.column(COLUMN));
    try (RowScanner scanner = store.scan(request)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        String table = row.row().key().slice(PREFIX.length()).toUtf8();
        bound.put(table, protocol(table, row.cells().get(0).value().toUtf8()));
      }
    }
  }

  private static Protocol protocol(String table, String word) {
    for (Protocol each : Protocol.values()) {
      if (each.word().equals(word)) {
        return each;
      }
    }
    throw new StoreException(
        "Table " + table + " is bound to '" + word + "', which this version does not know.");
  }

  /** Whether all tables are bound to Percolator, now and as long as nobody binds one here. */
  boolean isEmpty() {
    return !shared && bound.isEmpty();
  }

  /** Whether a table is known to be bound to Omid. */
  boolean knowsOmid() {
    return bound.containsValue(Protocol.OMID);
  }

  Protocol of(String table) {
    Protocol known = bound.get(table);
    return known != null ? known : shared ? look(table) : Protocol.PERCOLATOR;
  }

  /** A table that exists has been bound before it was created. */
  private Protocol look(String table) {
    boolean exists = store.table(table).isPresent();
    Protocol found = stored(table).orElse(Protocol.PERCOLATOR);
    if (exists) {
      bound.put(table, found);
    }
    return found;
  }

  private Optional<Protocol> stored(String table) {
    List<Cell> cells = store.read(RowRead.of(row(table), Selection.column(COLUMN))).cells();
    return cells.isEmpty()
        ? Optional.empty()
        : Optional.of(protocol(table, cells.get(0).value().toUtf8()));
  }

  /** As {@link #of}, for one who is about to write: waits while the table changes its protocol. */
  Protocol forWriting(String table) {
    while (!held.isEmpty() && held.contains(table)) {
      seams.sleep(PAUSE);
      if (Thread.currentThread().isInterrupted()) {
        throw new TabletUnavailableException(
            "Interrupted while table " + table + " changed its protocol.");
      }
    }
    return of(table);
  }

  long epoch(String table) {
    return store.epoch(table);
  }

  /** Has writers of these tables wait. */
  void hold(List<String> tables) {
    held.addAll(tables);
  }

  void release(List<String> tables) {
    tables.forEach(held::remove);
  }

  /** Binds a table that exists; nothing of its old protocol is left in it. */
  void rebind(String table, Protocol protocol) {
    if (of(table) != protocol) {
      set(table, protocol);
    }
  }

  private void set(String table, Protocol protocol) {
    if (protocol == Protocol.PERCOLATOR && !shared) {
      unbind(table);
    } else {
      write(RowWrite.put(row(table), new Cell(COLUMN, VERSION, Bytes.of(protocol.word()))));
      bound.put(table, protocol);
    }
  }

  /**
   * Binds a table, before it is created.
   *
   * @throws IllegalArgumentException when it exists and is bound to another
   */
  void bind(String table, Protocol protocol) {
    if (shared) {
      bindForAll(table, protocol);
      return;
    }
    Protocol before = of(table);
    if (before != protocol && store.table(table).isPresent()) {
      throw boundAlready(table, before, protocol);
    }
    if (before != protocol) {
      set(table, protocol);
    }
  }

  /** Binds a name that has no protocol so far; one process at a time. */
  private void bindForAll(String table, Protocol protocol) {
    String lock = "table/" + table;
    String owner = seams.liveness().token() + " " + Thread.currentThread().getId();
    while (!seams.locks().tryLock(lock, owner)) {
      seams.sleep(PAUSE);
      if (Thread.currentThread().isInterrupted()) {
        throw new TabletUnavailableException("Interrupted while table " + table + " was bound.");
      }
    }
    try {
      boolean exists = store.table(table).isPresent();
      Optional<Protocol> before =
          stored(table).or(() -> exists ? Optional.of(Protocol.PERCOLATOR) : Optional.empty());
      if (before.isPresent() && before.get() != protocol) {
        throw boundAlready(table, before.get(), protocol);
      }
      set(table, protocol);
    } finally {
      seams.locks().unlock(lock, owner);
    }
  }

  private IllegalArgumentException boundAlready(String table, Protocol before, Protocol wanted) {
    return new IllegalArgumentException(
        "Table "
            + table
            + (shared && store.table(table).isEmpty() ? " was dropped, and its name" : "")
            + " is bound to "
            + before.word()
            + " already: create another for "
            + wanted.word()
            + ".");
  }

  /** A table will be dropped: where several processes remember its protocol, the name keeps it. */
  void beforeDrop(String table) {
    if (shared && stored(table).isEmpty() && store.table(table).isPresent()) {
      set(table, Protocol.PERCOLATOR);
    }
  }

  /** The table is gone. */
  void unbind(String table) {
    if (!shared && bound.containsKey(table)) {
      write(RowWrite.remove(row(table), COLUMN, VERSION));
      bound.remove(table);
    }
  }

  private void write(RowWrite write) {
    Outcome<Void> outcome = store.write(List.of(write), Durability.SYNCED).get(0);
    if (!(outcome instanceof Outcome.Done<Void>)) {
      throw new StoreException("The protocol of a table was not stored: " + outcome);
    }
  }

  private static Row row(String table) {
    return Row.of(Families.SYSTEM_TABLE, PREFIX.concat(Bytes.of(table)));
  }
}
