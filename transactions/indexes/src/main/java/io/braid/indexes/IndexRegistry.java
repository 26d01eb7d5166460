package io.braid.indexes;

import io.braid.core.cells.Families;
import io.braid.core.data.Bytes;
import io.braid.core.data.ColumnName;
import io.braid.core.data.Row;
import io.braid.core.store.CellStore;
import io.braid.core.store.StoreException;
import io.braid.core.store.SystemRows;
import io.braid.core.store.TabletUnavailableException;
import io.braid.core.transaction.Scan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apiguardian.api.API;

/**
 * The existing indexes, as rows {@code index/NAME} of Braid's own table.
 *
 * <p>Where several processes share the database, each remembers the rows, and reads them again
 * whenever it learns an epoch of a table ({@link #lookAgain}). A definition is stored before its
 * epoch is raised. So a writer under an epoch knows at least the indexes of that epoch.
 *
 * @hidden
 */
@API(status = API.Status.INTERNAL)
public final class IndexRegistry {
  private static final int ATTEMPTS = 10;
  private static final int LONGEST_START = 1024;

  private final SystemRows<IndexEntry> rows;
  private final int keyBytes;
  private final boolean shared;

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
  public IndexRegistry(CellStore store, int keyBytes, boolean shared) {
    this.keyBytes = keyBytes;
    this.shared = shared;
    this.rows =
        new SystemRows<>(store, "index", "definition", IndexEntry::decode, IndexEntry::encode);
  }

  /** Reads what other processes may have changed. */
  public void lookAgain() {
    if (shared) {
      rows.reload();
    }
  }

  /**
   * Returns whether an index is still as in an entry. If so, earlier reads of the index are valid.
   */
  boolean isCurrent(IndexEntry entry) {
    String name = entry.index().name();
    Optional<IndexEntry> now = shared ? rows.look(name) : entry(name);
    return now.filter(
            other ->
                other.id() == entry.id()
                    && other.state() == entry.state()
                    && other.since() == entry.since()
                    && other.checked() == entry.checked())
        .isPresent();
  }

  /**
   * The index of a column, one that is ready if there is any; looks again where none is known.
   *
   * @throws IllegalArgumentException when there is none
   */
  IndexEntry of(String table, ColumnName column) {
    Optional<IndexEntry> known = known(table, column);
    if (known.filter(entry -> entry.index().ready()).isEmpty()) {
      lookAgain();
      known = known(table, column);
    }
    return known.orElseThrow(
        () ->
            new IllegalArgumentException(
                "Column " + column + " of table " + table + " has no index: create one."));
  }

  private Optional<IndexEntry> known(String table, ColumnName column) {
    IndexEntry found = null;
    for (IndexEntry entry : of(table)) {
      if (entry.index().column().equals(column) && (found == null || !found.index().ready())) {
        found = entry;
      }
    }
    return Optional.ofNullable(found);
  }

  /** Returns the indexes that a writer of a table keeps in step, including those being built. */
  public List<IndexEntry> of(String table) {
    Map<String, IndexEntry> all = rows.known();
    if (all.isEmpty()) {
      return List.of();
    }
    List<IndexEntry> indexes = new ArrayList<>(1);
    for (IndexEntry entry : all.values()) {
      if (entry.index().table().equals(table) && entry.state() != IndexEntry.State.DROPPING) {
        indexes.add(entry);
      }
    }
    return indexes;
  }

  /** The index that a scan asks. */
  public Optional<IndexEntry> asked(Scan scan) {
    return rows.known().values().stream().filter(e -> e.rows().isAskedBy(scan)).findAny();
  }

  /** All indexes of a table, those that are being removed included. */
  public List<Index> allOf(String table) {
    return rows.known().values().stream()
        .map(IndexEntry::index)
        .filter(index -> index.table().equals(table))
        .toList();
  }

  /** Whether a column is one of an index whose rows need no search for conflicts. */
  public boolean isUnchecked(String table, ColumnName column) {
    Map<String, IndexEntry> all = rows.known();
    IndexEntry entry = all.isEmpty() ? null : all.get(table);
    return entry != null && !entry.index().isLocal()
        ? !entry.index().isUnique()
        : column.family().equals(Families.INDEX);
  }

  /** Whether an index row has a key that is allowed. */
  boolean fits(Row at) {
    return at.key().length() <= keyBytes;
  }

  /**
   * Requires {@link #fits} of an index row that is to be written.
   *
   * @param of the row that it is of
   */
  public void requireFits(Index index, Row at, Row of) {
    requireFits(index, at.key().length(), of);
  }

  /**
   * Requires that an index row fits, wherever the parts of the index may have moved until it is
   * written.
   */
  public void requireFitsAnywhere(IndexEntry entry, Row of, Bytes value) {
    entry.places(of, value).forEach(at -> requireFits(entry.index(), at.row(), of));
    requireFits(entry.index(), entry.rows().longestKey(of, value, longestStart()), of);
  }

  /**
   * Returns how long the first key of a part may be that rows of a local index move to. A tablet
   * that begins at a longer key shares the part before it, because its index rows would not fit.
   */
  int longestStart() {
    return Math.min(LONGEST_START, keyBytes / 4);
  }

  /** How many bytes an index row takes in a transaction, at both places if it moves, at most. */
  public long mostBytes(Index index, Row of) {
    long one = keyBytes + of.key().length();
    return index.isLocal() ? 2 * (one + keyBytes) : one;
  }

  private void requireFits(Index index, int length, Row of) {
    if (length > keyBytes) {
      throw new TooLongException(
          "The value in "
              + of
              + " is too long for index "
              + index.name()
              + ": the key of its index row has "
              + length
              + " bytes, over the limit of "
              + keyBytes
              + ".");
    }
  }

  /** Whether transactions that begin now keep an index. */
  public boolean isKept(String name) {
    return entry(name).filter(entry -> entry.state() != IndexEntry.State.DROPPING).isPresent();
  }

  /** Whether the table holds an index. */
  public boolean isIndex(String table) {
    Map<String, IndexEntry> all = rows.known();
    IndexEntry entry = all.isEmpty() ? null : all.get(table);
    return entry != null && !entry.index().isLocal();
  }

  public Optional<IndexEntry> entry(String name) {
    return Optional.ofNullable(rows.known().get(name));
  }

  List<IndexEntry> all() {
    return List.copyOf(rows.known().values());
  }

  /**
   * Stores an entry durably, then has transactions see it.
   *
   * @throws io.braid.core.store.StoreException when another process has changed it
   */
  void put(IndexEntry entry) {
    rows.put(entry.index().name(), entry);
  }

  /**
   * Changes the current entry durably, even if others change it at the same time.
   *
   * @throws StoreException when there is no entry, or others keep changing it
   */
  public IndexEntry update(String name, UnaryOperator<IndexEntry> change) {
    for (int attempt = 1; ; attempt++) {
      IndexEntry before =
          entry(name).orElseThrow(() -> new OvertakenException("Index " + name + " is gone."));
      IndexEntry after = change.apply(before);
      try {
        rows.put(name, before, after);
        return after;
      } catch (StoreException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
        rows.reload();
      }
    }
  }

  /**
   * Takes a step from a known state of the index. A process that stalled for longer than its lock
   * lasts may find that another process has taken the step, and the next one. Repeating the step
   * would be a step back.
   *
   * @throws OvertakenException when another process has taken a step
   */
  IndexEntry step(IndexEntry from, UnaryOperator<IndexEntry> change) {
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

  /**
   * Requires that the index is still in the state of an entry. Call it once a fence is set, before
   * anything is written under its epoch: a process that stalled may continue work that others ended
   * long ago. Their steps before the fence are seen here. Their later steps begin with a fence of
   * their own, after which writes under this fence are refused.
   *
   * @throws OvertakenException when another process has taken a step
   */
  void requireStanding(IndexEntry entry) {
    String name = entry.index().name();
    if (rows.look(name).filter(now -> now.standsAs(entry)).isEmpty()) {
      throw new OvertakenException(
          "Another process changes index " + name + ": do the same again.");
    }
  }

  void remove(String name) {
    rows.put(name, null);
  }
}
