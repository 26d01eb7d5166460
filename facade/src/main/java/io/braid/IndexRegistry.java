package io.braid;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Decoder;
import io.braid.core.data.Encoder;
import io.braid.core.data.Lists;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.StoreException;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.transaction.Scan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Which indexes there are, as rows {@code index/NAME} of Braid's own table.
 *
 * <p>Where several processes share the database each remembers what it has read, and reads it again
 * whenever it learns an epoch of a table ({@link #lookAgain}). A definition is stored before the
 * epoch is raised that goes with it; so who writes under an epoch knows at least its indexes.
 */
final class IndexRegistry {
  private static final int ATTEMPTS = 10;

  private final SystemRows<Entry> rows;
  private final int keyBytes;
  private final boolean shared;

  /** What is done with an index. */
  enum State {
    BUILDING,
    READY,
    DROPPING,
    /** Ready; its rows are written to the parts of {@link Entry#other} as well. */
    MOVING,
    /** Ready; the parts of {@link Entry#other} still hold rows that stand elsewhere now. */
    MOVED;

    boolean isReady() {
      return this == READY || this == MOVING || this == MOVED;
    }
  }

  /**
   * An index and how far its building has come.
   *
   * @param fence the snapshot that it is populated from; 0 until there is one
   * @param next the key of the first row that was not looked at
   * @param id never used by another index
   * @param starts the first keys of the parts of a local one
   * @param checked whether a load has written index rows, ahead of its records: then what is found
   *     is compared with the rows
   * @param other those of the parts that its rows move to, or have come from; else empty
   * @param since when it was defined, or has moved last: a timestamp
   * @param rows where it stands
   * @param otherRows where it will stand, or stood
   */
  record Entry(
      Index index,
      State state,
      long fence,
      Bytes next,
      long id,
      List<Bytes> starts,
      boolean checked,
      List<Bytes> other,
      long since,
      IndexRows rows,
      IndexRows otherRows) {
    /** One that is to be built. */
    static Entry of(Index index, long id, List<Bytes> starts) {
      return of(index, State.BUILDING, 0, Bytes.EMPTY, id, starts, false, List.of(), id);
    }

    private static Entry of(
        Index index,
        State state,
        long fence,
        Bytes next,
        long id,
        List<Bytes> starts,
        boolean checked,
        List<Bytes> other,
        long since) {
      Index stated =
          new Index(index.name(), index.table(), index.column(), index.kind(), state.isReady());
      return new Entry(
          stated,
          state,
          fence,
          next,
          id,
          List.copyOf(starts),
          checked,
          List.copyOf(other),
          since,
          new IndexRows(stated, id, starts),
          new IndexRows(stated, id, other));
    }

    Entry at(long newFence, Bytes from) {
      return of(index, state, newFence, from, id, starts, checked, other, since);
    }

    Entry as(State newState) {
      List<Bytes> kept = newState == State.DROPPING ? other : List.of();
      return of(index, newState, fence, Bytes.EMPTY, id, starts, checked, kept, since);
    }

    Entry withChecks() {
      return of(index, state, fence, next, id, starts, true, other, since);
    }

    /** Whether nobody has taken a step with it since it stood as another says. */
    boolean standsAs(Entry before) {
      return id == before.id
          && state == before.state
          && fence == before.fence
          && next.equals(before.next)
          && since == before.since
          && starts.equals(before.starts)
          && other.equals(before.other);
    }

    /** Whether index rows that were kept by this entry stand where another has them asked for. */
    boolean servesAs(Entry now) {
      return id == now.id
          && (starts.equals(now.starts) || (state == State.MOVING && other.equals(now.starts)));
    }

    /** Its rows are to move to other parts: writers know both. */
    Entry movingTo(List<Bytes> parts) {
      return of(index, State.MOVING, fence, Bytes.EMPTY, id, starts, checked, parts, since);
    }

    /** Its rows have moved: it is asked, and written, where they are now. */
    Entry moved(long at) {
      return of(index, State.MOVED, fence, Bytes.EMPTY, id, other, checked, starts, at);
    }

    /** Where whoever writes a row has to keep its index row: mostly one place. */
    List<IndexRows.Place> places(Row row, Bytes value) {
      IndexRows.Place at = rows.at(row, value);
      if (state != State.MOVING) {
        return List.of(at);
      }
      IndexRows.Place to = otherRows.at(row, value);
      return to.equals(at) ? List.of(at) : List.of(at, to);
    }
  }

  /** Another process has taken a step with an index since, or has removed it. */
  static final class OvertakenException extends TabletUnavailableException {
    private static final long serialVersionUID = 1;

    OvertakenException(String message) {
      super(message);
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
   * @param shared whether other processes may change the definitions
   */
  IndexRegistry(CellStore store, int keyBytes, boolean shared) {
    this.keyBytes = keyBytes;
    this.shared = shared;
    this.rows =
        new SystemRows<>(
            store, "index", "definition", IndexRegistry::decode, IndexRegistry::encode);
  }

  /** Reads what other processes may have changed. */
  void lookAgain() {
    if (shared) {
      rows.reload();
    }
  }

  /**
   * Whether an index is still what it was: then what was read of it before this was called is what
   * it says.
   */
  boolean isCurrent(Entry entry) {
    String name = entry.index.name();
    Optional<Entry> now = shared ? rows.look(name) : entry(name);
    return now.filter(
            other ->
                other.id == entry.id
                    && other.state == entry.state
                    && other.since == entry.since
                    && other.checked == entry.checked)
        .isPresent();
  }

  private static Entry decode(String name, Bytes bytes) {
    Decoder from = new Decoder(bytes);
    String table = from.text();
    ColumnName column = from.column();
    Index.Kind kind = known(Index.Kind.values(), from.u8(), name);
    State state = known(State.values(), from.u8(), name);
    Index index = new Index(name, table, column, kind, false);
    long fence = from.varint();
    Bytes next = from.bytes();
    if (from.remaining() == 0) {
      return Entry.of(index, state, fence, next, 0, List.of(), false, List.of(), 0);
    }
    long id = from.int64();
    List<Bytes> starts = Lists.decode(from, Decoder::bytes);
    boolean checked = from.remaining() > 0 && from.bool();
    List<Bytes> other = from.remaining() > 0 ? Lists.decode(from, Decoder::bytes) : List.of();
    long since = from.remaining() > 0 ? from.varint() : id;
    return Entry.of(index, state, fence, next, id, starts, checked, other, since);
  }

  private static Bytes encode(Entry entry) {
    Index index = entry.index;
    Encoder to =
        new Encoder(64)
            .text(index.table())
            .column(index.column())
            .u8(index.kind().ordinal())
            .u8(entry.state.ordinal())
            .varint(entry.fence)
            .bytes(entry.next)
            .int64(entry.id);
    Lists.encode(to, entry.starts, (start, each) -> each.bytes(start));
    boolean moved = entry.since != entry.id || !entry.other.isEmpty();
    if (entry.checked || moved) {
      to.bool(entry.checked);
    }
    if (moved) {
      Lists.encode(to, entry.other, (start, each) -> each.bytes(start));
      to.varint(entry.since);
    }
    return to.finish();
  }

  private static <T> T known(T[] all, int code, String name) {
    if (code >= all.length) {
      throw new StoreException("Index " + name + " is of a kind that this version does not know.");
    }
    return all[code];
  }

  /**
   * The index of a column, one that is ready if there is any; looks again where none is known.
   *
   * @throws IllegalArgumentException when there is none
   */
  Entry of(String table, ColumnName column) {
    Optional<Entry> known = known(table, column);
    if (known.filter(entry -> entry.index().ready()).isEmpty()) {
      lookAgain();
      known = known(table, column);
    }
    return known.orElseThrow(
        () ->
            new IllegalArgumentException(
                "Column " + column + " of table " + table + " has no index: create one."));
  }

  private Optional<Entry> known(String table, ColumnName column) {
    Entry found = null;
    for (Entry entry : of(table)) {
      if (entry.index().column().equals(column) && (found == null || !found.index().ready())) {
        found = entry;
      }
    }
    return Optional.ofNullable(found);
  }

  /** The indexes that who writes a table keeps in step, those that are being built included. */
  List<Entry> of(String table) {
    Map<String, Entry> all = rows.known();
    if (all.isEmpty()) {
      return List.of();
    }
    List<Entry> indexes = new ArrayList<>(1);
    for (Entry entry : all.values()) {
      if (entry.index.table().equals(table) && entry.state != State.DROPPING) {
        indexes.add(entry);
      }
    }
    return indexes;
  }

  /** The index that a scan asks. */
  Optional<Entry> asked(Scan scan) {
    return rows.known().values().stream().filter(e -> e.rows.isAskedBy(scan)).findAny();
  }

  /** All indexes of a table, those that are being removed included. */
  List<Index> allOf(String table) {
    return rows.known().values().stream()
        .map(Entry::index)
        .filter(index -> index.table().equals(table))
        .toList();
  }

  /** Whether a column is one of an index whose rows need no search for conflicts. */
  boolean isUnchecked(String table, ColumnName column) {
    Map<String, Entry> all = rows.known();
    Entry entry = all.isEmpty() ? null : all.get(table);
    return entry != null && !entry.index.isLocal()
        ? !entry.index.isUnique()
        : column.family().equals(Families.INDEX);
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
  void requireFits(Index index, Row at, Row of) {
    if (!fits(at)) {
      throw new TooLongException(
          "The value in "
              + of
              + " is too long for index "
              + index.name()
              + ": the key of its index row has "
              + at.key().length()
              + " bytes, over the limit of "
              + keyBytes
              + ".");
    }
  }

  /** Whether transactions that begin now keep an index. */
  boolean isKept(String name) {
    return entry(name).filter(entry -> entry.state != State.DROPPING).isPresent();
  }

  /** Whether the table holds an index. */
  boolean isIndex(String table) {
    Map<String, Entry> all = rows.known();
    Entry entry = all.isEmpty() ? null : all.get(table);
    return entry != null && !entry.index.isLocal();
  }

  Optional<Entry> entry(String name) {
    return Optional.ofNullable(rows.known().get(name));
  }

  List<Entry> all() {
    return List.copyOf(rows.known().values());
  }

  /**
   * Stores an entry durably, then has transactions see it.
   *
   * @throws io.braid.core.store.StoreException when another process has changed it
   */
  void put(Entry entry) {
    rows.put(entry.index.name(), entry);
  }

  /**
   * Changes an entry as it stands now, durably, whoever else changes it at the same time.
   *
   * @throws StoreException when there is none, or others do not cease to change it
   */
  Entry update(String name, UnaryOperator<Entry> change) {
    @Nullable Entry mine = null;
    for (int attempt = 1; ; attempt++) {
      Entry before =
          entry(name).orElseThrow(() -> new OvertakenException("Index " + name + " is gone."));
      if (mine != null && encode(before).equals(encode(mine))) {
        return mine; // The last attempt was executed, only its answer was lost.
      }
      mine = change.apply(before);
      try {
        rows.put(name, before, mine);
        return mine;
      } catch (StoreException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
        rows.reload();
      }
    }
  }

  /**
   * Takes a step from where the index stood. A process that stood still for longer than its lock
   * lasts may find that another one has taken the step, and the next: once more would be a step
   * back.
   *
   * @throws OvertakenException when another process has taken a step
   */
  Entry step(Entry from, UnaryOperator<Entry> change) {
    String name = from.index().name();
    return update(
        name,
        each -> {
          if (!each.standsAs(from)) {
            throw new OvertakenException(
                "Another process changes index " + name + ": do the same again.");
          }
          return change.apply(each);
        });
  }

  void remove(String name) {
    rows.put(name, null);
  }
}
