package io.braid.store.rocksdb.reads;

import io.braid.core.data.Bytes;
import io.braid.core.data.Cell;
import io.braid.core.data.ColumnName;
import io.braid.store.rocksdb.concurrency.RowLocks;
import io.braid.store.rocksdb.engine.Keys;
import io.braid.store.rocksdb.tables.Family;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the newest cell of columns that are asked for again and again, so that reading it, or
 * checking that nothing newer was committed, takes no call into RocksDB.
 *
 * <p>A fixed number of places, chosen by hash, each for one column; large values are not kept.
 * Invariants:
 *
 * <ul>
 *   <li>While the stamp of the row's stripe is even ({@link RowLocks}), an entry holds the newest
 *       cell that RocksDB has of its column, or that there is none.
 *   <li>Entries change only under the lock of their row. A writer brings the entries of its columns
 *       up to date while the stamp is odd. A reader adds an entry only if it gets the lock at once
 *       and the stamp is still the one under which it read.
 * </ul>
 *
 * <p>So an entry is right for a caller that holds the lock of the row, and for a caller that found
 * the same even stamp before and after looking. A snapshot below the version of the newest cell is
 * not answered here.
 *
 * <p>A column is admitted the second time that it is missed with no other in between, so that a
 * walk over many columns does not drive out the few that matter.
 */
public final class NewestCells {
  private static final int LARGEST_VALUE = 1 << 10;
  private static final int LEAST_PLACES = 1 << 10;
  private static final int MOST_PLACES = 1 << 16;

  /** There is one place for each so many bytes of the store's memory. */
  private static final long BYTES_FOR_ONE = 16 << 10;

  /**
   * @param column what the keys of the column start with
   * @param cell null when the column has no cell
   */
  private record Entry(int hash, Family family, byte[] column, @Nullable Cell cell) {
    /** Of others, as most are, only the hash is looked at. */
    boolean is(int otherHash, Family other, byte[] key) {
      int length = key.length - Keys.VERSION_BYTES;
      return hash == otherHash
          && family == other
          && column.length == length
          && Arrays.equals(column, 0, length, key, 0, length);
    }
  }

  /** A known answer: the cell, or that there is none. */
  record KnownAnswer(@Nullable Cell cell) {
    private static final KnownAnswer NONE = new KnownAnswer(null);
  }

  private final AtomicReferenceArray<@Nullable Entry> places;

  /** The column that each place missed last. Races only cost an admission. */
  private final int[] missed;

  public NewestCells(long memoryBytes) {
    long wanted = Math.max(LEAST_PLACES, Math.min(MOST_PLACES, memoryBytes / BYTES_FOR_ONE));
    int size = Integer.highestOneBit((int) wanted);
    places = new AtomicReferenceArray<>(size);
    missed = new int[size];
  }

  /**
   * The newest cell at or below {@code maxVersion}; null when that is not known here.
   *
   * @param key any key of the column
   */
  @Nullable KnownAnswer find(
      Family family, Bytes row, ColumnName column, byte[] key, long maxVersion) {
    int hash = hash(family, row, column.qualifier());
    Entry entry = places.get(place(hash));
    if (entry == null || !entry.is(hash, family, key)) {
      return null;
    }
    Cell cell = entry.cell;
    if (cell == null) {
      return KnownAnswer.NONE;
    }
    return cell.version() <= maxVersion ? new KnownAnswer(cell) : null;
  }

  /** Whether the column, which was missed, shall be added. */
  boolean admits(Family family, Bytes row, ColumnName column) {
    int hash = hash(family, row, column.qualifier());
    int place = place(hash);
    boolean again = missed[place] == hash;
    missed[place] = hash;
    return again;
  }

  /** Adds a column with its newest cell, or without any. To be called under the lock of the row. */
  void add(Family family, Bytes row, ColumnName column, byte[] key, @Nullable Cell newest) {
    if (newest == null || newest.value().length() <= LARGEST_VALUE) {
      byte[] prefix = Arrays.copyOf(key, key.length - Keys.VERSION_BYTES);
      Cell own =
          newest == null
              ? null
              : cell(family, column.qualifier(), newest.version(), newest.value());
      int hash = hash(family, row, column.qualifier());
      places.set(place(hash), new Entry(hash, family, prefix, own));
    }
  }

  /** A cell was put. To be called under the lock of the row, while the stamp is odd. */
  public void put(
      Family family, Bytes row, Bytes qualifier, byte[] key, long version, Bytes value) {
    int hash = hash(family, row, qualifier);
    int place = place(hash);
    Entry entry = places.get(place);
    if (entry == null || !entry.is(hash, family, key)) {
      return;
    }
    Cell before = entry.cell;
    if (before != null && before.version() > version) {
      if (!family.veils.isEmpty()) {
        // It may come above a cell that is shown at a version other than its own.
        places.set(place, null);
      }
      return;
    }
    if (value.length() > LARGEST_VALUE) {
      places.set(place, null);
      return;
    }
    places.set(
        place, new Entry(hash, family, entry.column, cell(family, qualifier, version, value)));
  }

  /** A cell was removed. To be called under the lock of the row, while the stamp is odd. */
  public void remove(Family family, Bytes row, Bytes qualifier, byte[] key, long version) {
    int hash = hash(family, row, qualifier);
    int place = place(hash);
    Entry entry = places.get(place);
    if (entry != null
        && entry.is(hash, family, key)
        && entry.cell != null
        && (entry.cell.version() == version || !family.veils.isEmpty())) {
      places.set(place, null);
    }
  }

  /** Forgets everything. To be called alone in the gate. */
  public void clear() {
    for (int i = 0; i < places.length(); i++) {
      places.set(i, null);
    }
  }

  /** A cell with bytes of its own: those given may be views of something large. */
  private static Cell cell(Family family, Bytes qualifier, long version, Bytes value) {
    return new Cell(new ColumnName(family.name, copy(qualifier)), version, copy(value));
  }

  private static Bytes copy(Bytes bytes) {
    return Bytes.wrap(bytes.toArray());
  }

  private int place(int hash) {
    return hash & (places.length() - 1);
  }

  private static int hash(Family family, Bytes row, Bytes qualifier) {
    return Keys.spread((family.id * 31 + row.hashCode()) * 31 + qualifier.hashCode());
  }
}
