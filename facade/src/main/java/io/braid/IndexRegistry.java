package io.braid;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.KeyRange;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.Durability;
import io.braid.core.store.Outcome;
import io.braid.core.store.RowCells;
import io.braid.core.store.RowScanner;
import io.braid.core.store.RowWrite;
import io.braid.core.store.ScanRequest;
import io.braid.core.store.Selection;
import io.braid.core.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Which indexes there are, as rows {@code index/NAME} of Braid's own table. For one process that
 * has the store to itself.
 */
final class IndexRegistry {
  private static final Bytes PREFIX = Bytes.of("index/");
  private static final ColumnName COLUMN = ColumnName.of(Families.SYSTEM, "definition");
  private static final long VERSION = 1;

  private final CellStore store;
  private final int keyBytes;
  private volatile Map<String, Entry> entries = Map.of();

  /**
   * An index and how far its building has come.
   *
   * @param fence the snapshot that it is populated from; 0 until there is one
   * @param next the key of the first row that was not looked at
   */
  record Entry(Index index, long fence, Bytes next) {
    Entry at(long newFence, Bytes from) {
      return new Entry(index, newFence, from);
    }

    Entry asReady() {
      Index ready = new Index(index.name(), index.table(), index.column(), index.unique(), true);
      return new Entry(ready, fence, Bytes.EMPTY);
    }
  }

  /** A value, or the key of a row, is too long for an index. Nothing was written. */
  static final class TooLongException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    TooLongException(String message) {
      super(message);
    }
  }

  /**
   * @param keyBytes how long keys may be, those of index rows too
   */
  IndexRegistry(CellStore store, int keyBytes) {
    this.store = store;
    this.keyBytes = keyBytes;
    Map<String, Entry> found = new TreeMap<>();
    ScanRequest request =
        ScanRequest.of(Families.SYSTEM_TABLE, KeyRange.prefix(PREFIX), Selection.column(COLUMN));
    try (RowScanner scanner = store.scan(request)) {
      for (RowCells row = scanner.next(); row != null; row = scanner.next()) {
        String name = row.row().key().slice(PREFIX.length()).toUtf8();
        found.put(name, decode(name, new Decoder(row.cells().get(0).value())));
      }
    }
    entries = found;
  }

  private static Entry decode(String name, Decoder from) {
    String table = from.text();
    ColumnName column = from.column();
    boolean unique = from.bool();
    boolean ready = from.bool();
    return new Entry(new Index(name, table, column, unique, ready), from.varint(), from.bytes());
  }

  /** The indexes of a table, those that are being built included. */
  List<Index> of(String table) {
    Map<String, Entry> all = entries;
    if (all.isEmpty()) {
      return List.of();
    }
    List<Index> indexes = new ArrayList<>(1);
    for (Entry entry : all.values()) {
      if (entry.index.table().equals(table)) {
        indexes.add(entry.index);
      }
    }
    return indexes;
  }

  /** Whether the table holds an index whose rows need no search for conflicts. */
  boolean isUnchecked(String table) {
    Map<String, Entry> all = entries;
    Entry entry = all.isEmpty() ? null : all.get(table);
    return entry != null && !entry.index.unique();
  }

  boolean isIndex(String table) {
    return !entries.isEmpty() && entries.containsKey(table);
  }

  /** Whether an index row has a key that is allowed. */
  boolean fits(Row at) {
    return at.key().length() <= keyBytes;
  }

  /**
   * As {@link #fits}, for an index row that is to be written.
   *
   * @param of the row that it is of
   */
  void requireFits(Row at, Row of) {
    if (!fits(at)) {
      throw new TooLongException(
          "The value in "
              + of
              + " is too long for index "
              + at.table()
              + ": the key of its index row has "
              + at.key().length()
              + " bytes, over the limit of "
              + keyBytes
              + ".");
    }
  }

  Optional<Entry> entry(String name) {
    return Optional.ofNullable(entries.get(name));
  }

  List<Entry> all() {
    return List.copyOf(entries.values());
  }

  /** Stores an entry durably, then has transactions see it. */
  void put(Entry entry) {
    Index index = entry.index;
    Bytes value =
        new Encoder(64)
            .text(index.table())
            .column(index.column())
            .bool(index.unique())
            .bool(index.ready())
            .varint(entry.fence)
            .bytes(entry.next)
            .finish();
    write(RowWrite.put(row(index.name()), new Cell(COLUMN, VERSION, value)));
    change(next -> next.put(index.name(), entry));
  }

  private synchronized void change(Consumer<Map<String, Entry>> change) {
    Map<String, Entry> next = new TreeMap<>(entries);
    change.accept(next);
    entries = next;
  }

  void remove(String name) {
    write(RowWrite.remove(row(name), COLUMN, VERSION));
    change(next -> next.remove(name));
  }

  private void write(RowWrite write) {
    Outcome<Void> outcome = store.write(List.of(write), Durability.SYNCED).get(0);
    if (!(outcome instanceof Outcome.Done<Void>)) {
      throw new StoreException("The definition of an index was not stored: " + outcome);
    }
  }

  private static Row row(String name) {
    return Row.of(Families.SYSTEM_TABLE, PREFIX.concat(Bytes.of(name)));
  }
}
